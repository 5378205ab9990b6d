import { inject } from 'vitest'
import { webPushSender } from '#server/node/messages/push.ts'
import { openSecrets } from '#server/node/startup/secret-key.ts'
import { sendDueNotifications } from '#server/notifications/send-due.ts'
import type { Ports } from '#server/ports/ports.ts'
import { freshDatabase } from '../../helpers/database/postgres.ts'
import { type PushService, startPushService } from '../../helpers/server/push-service.ts'
import {
  type Person,
  postgresDatabase,
  secretKey,
  startTestServer,
  type TestServer,
} from '../../helpers/server/server.ts'

/** A server that pushes to a service on loopback, which opens and checks what arrives. */
export async function startPushServer(over: Partial<Ports> = {}) {
  const service = await startPushService()
  const fresh = await freshDatabase(inject('postgresUrl'))
  const database = postgresDatabase(fresh)
  const keeper = database.open()
  const secrets = await openSecrets(keeper, secretKey)
  const logged: string[] = []
  const log = {
    info: () => {},
    warn: (about: object, message: string) =>
      void logged.push(`${message} ${JSON.stringify(about)}`),
    error: (about: object, message: string) =>
      void logged.push(`${message} ${JSON.stringify(about)}`),
  }
  const settings = { subject: 'mailto:admin@soma.local', services: [service.origin] }
  const push = await webPushSender(keeper, secrets, settings, log)
  const server = await startTestServer(database, { push, ...over })
  return {
    ...server,
    service,
    push,
    pushLog: logged,
    /** Sends all that is due now. */
    send: () => sendDueNotifications(server.ports),
    subscribe: (by: Pick<Person, 'token'>, name: string) =>
      subscribe(server, service, by.token, name),
    /** The pushes that arrived at this browser, opened. */
    arrived: (name: string) =>
      service.received
        .filter(({ path }) => path === `/${name}`)
        .map((each) => ({ ...each, json: JSON.parse(each.payload) })),
    titles(name: string): string[] {
      return this.arrived(name).map(({ json }) => json.notification.title)
    },
    async close() {
      await server.close()
      await keeper.close()
      await service.close()
      await fresh.drop()
    },
  }
}

export type PushServer = Awaited<ReturnType<typeof startPushServer>>

async function subscribe(
  server: Pick<TestServer, 'ask'>,
  service: PushService,
  token: string,
  name: string,
) {
  const body = service.subscribe(name)
  await server.ask('subscribe', { token, body })
  return body
}
