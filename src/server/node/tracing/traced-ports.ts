import type { ImageStore, Ports, Sms } from '../../ports/ports.ts'
import type { Push } from '../../ports/push-port.ts'
import type { Repo } from '../../ports/repo.ts'
import type { PostgresRepo } from '../../postgres/open-postgres.ts'
import type { NodeTracing } from './open-tracing.ts'

/**
 * The ports, with spans for what a call asks of the database, the photos and the messages' services. Statements
 * have theirs from the pool (`traceStatements`).
 */
export function tracedPorts(ports: Ports & { repo: PostgresRepo }, tracing: NodeTracing): Ports {
  return {
    ...ports,
    tracing,
    log: tracing.logWithTrace(ports.log),
    repo: tracedRepo(ports.repo, tracing),
    sms: tracedSms(ports.sms, tracing),
    push: ports.push && tracedPush(ports.push, tracing),
    images: ports.images && tracedImages(ports.images, tracing),
  }
}

/** The repo, each of whose transactions and reads is a span of the call that makes it. */
function tracedRepo(repo: PostgresRepo, tracing: NodeTracing): Repo {
  // Outside a call there are only the polls of background work, every few seconds.
  const within = <T>(name: string, work: () => Promise<T>): Promise<T> =>
    tracing.isInside() ? tracing.part(name, system, work) : work()
  return {
    ...repo,
    transaction: (work) => within('transaction', () => repo.transaction(work)),
    read: (work) => within('read', () => repo.read(work)),
    readAtReplica: (work) => within('read at replica', () => repo.readAtReplica(work)),
  }
}

const system = { 'db.system.name': 'postgresql' }

/** The SMS service, each of whose messages is a span. */
const tracedSms = (sms: Sms, tracing: NodeTracing): Sms => ({
  send: (message) => tracing.part('send SMS', {}, () => sms.send(message)),
})

/** The push services, each of whose messages is a span. */
const tracedPush = (push: Push, tracing: NodeTracing): Push => ({
  ...push,
  send: (to, message) => tracing.part('send push', {}, () => push.send(to, message)),
})

/** The store of photos, each of whose steps inside a call is a span. */
function tracedImages(images: ImageStore, tracing: NodeTracing): ImageStore {
  const within = <T>(name: string, work: () => Promise<T>): Promise<T> =>
    tracing.isInside() ? tracing.part(`${name} photo`, {}, work) : work()
  const { thumbnail } = images
  return {
    ...images,
    put: (...about) => within('put', () => images.put(...about)),
    open: (...about) => within('open', () => images.open(...about)),
    hide: (...about) => within('hide', () => images.hide(...about)),
    remove: (...about) => within('remove', () => images.remove(...about)),
    copyToPrivate: (...about) => within('copy', () => images.copyToPrivate(...about)),
    ...(thumbnail && {
      thumbnail: (name: string) => within('thumbnail of', () => thumbnail(name)),
    }),
  }
}
