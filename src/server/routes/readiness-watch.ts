import { minute } from '#domain/product.ts'
import { attemptKey } from '../limits/rate-limits.ts'
import { messageOf } from '../notifications/messages.ts'
import { payloadOf } from '../notifications/payload.ts'
import { termsOf } from '../notifications/terms.ts'
import type { Ports } from '../ports/ports.ts'
import type { PushSubscriptionRow } from '../ports/stores/notification-store.ts'
import { repeatedly } from '../rules/repeatedly.ts'
import type { ServiceStatus } from './readiness.ts'

/** Milliseconds between two looks, and those for which a failure is not told yet. */
const interval = 20_000
const patience = minute

type Needs = Pick<Ports, 'repo' | 'clock' | 'secrets' | 'options' | 'push' | 'log'>
/** `problem`: why the server is not ready; missing once it is again. */
type News = { problem?: string; isDatabaseReady: boolean }

/**
 * Gives the function that looks once whether this process can serve, and pushes to the admins when it could not for
 * longer than a minute, and when it can again (R225). It pushes by itself, to the browsers that it read while the
 * database answered. Of several processes one pushes, as the database says; while it does not answer each of them
 * does, and a browser shows messages with one tag as one.
 */
export function readinessWatch(ports: Needs, check: () => Promise<ServiceStatus>) {
  const { repo, clock, secrets, options, push } = ports
  let browsers: PushSubscriptionRow[] = []
  let failingSince: number | undefined
  let isTold = false
  /** What some push services did not take yet. */
  let unsent: { payload: string; targets: PushSubscriptionRow[] } | undefined

  /** Whether no other process has told it since this one began to fail. */
  const claim = (name: string, since: number) =>
    repo.transaction(async ({ attempts }) => {
      const key = attemptKey(secrets, { name }, 'office')
      await attempts.lock(key)
      if ((await attempts.count(key, new Date(since).toISOString())) > 0) return false
      await attempts.add({ id: secrets.id(), key, at: new Date(clock()).toISOString() })
      return true
    })

  async function tell({ problem, isDatabaseReady }: News, since: number) {
    const name = problem ? 'server-not-ready' : 'server-ready'
    // Where it cannot be written, such as on a full disk, each process tells it.
    if (isDatabaseReady && !(await claim(name, since).catch(() => true))) return
    const message = messageOf({ kind: 'office-server', to: 'office', problem })
    const payload = payloadOf(message, { origin: options.publicOrigin, topic })
    unsent = { payload, targets: browsers }
  }

  const topic = secrets.hash('topic office-server').slice(0, 32)

  async function send() {
    if (!push || !unsent) return
    const { payload, targets } = unsent
    const { urgency, worth } = termsOf['office-server']
    const outcomes = await Promise.all(
      targets.map((to) => push.send(to, { payload, topic, ttl: worth / 1000, urgency })),
    )
    const left = targets.filter((_, at) => outcomes[at] === 'later')
    unsent = left.length > 0 ? { payload, targets: left } : undefined
  }

  return async () => {
    const { status, checks, problem } = await check()
    if (status === 'stopping') return
    const isDatabaseReady = checks.database === 'ready'
    if (isDatabaseReady)
      browsers = await repo.read(
        async (stores) =>
          (await stores.notifications?.subscriptionsOfOffice('office-server')) ?? [],
      )
    if (status === 'not ready') {
      failingSince ??= clock()
      if (!isTold && clock() - failingSince > patience) {
        isTold = true
        await tell({ problem, isDatabaseReady }, failingSince)
      }
    } else {
      if (isTold) await tell({ isDatabaseReady }, failingSince ?? clock())
      failingSince = undefined
      isTold = false
    }
    await send()
  }
}

/** Looks every 20 seconds. Returns the function that ends it. */
export function startReadinessWatch(ports: Needs, check: () => Promise<ServiceStatus>): () => void {
  const look = readinessWatch(ports, check)
  const { end } = repeatedly(interval, look, (error) =>
    ports.log.warn(
      { err: error },
      'Readiness was not watched for the admins; the next look is in 20 seconds',
    ),
  )
  return end
}
