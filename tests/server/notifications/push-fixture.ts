import { inject } from 'vitest'
import { webPushSender } from '#server/node/messages/push.ts'
import { openSecrets } from '#server/node/startup/secret-key.ts'
import { sendDueNotifications } from '#server/notifications/send-due.ts'
import type { Ports } from '#server/ports/ports.ts'
import { freshDatabase } from '../../helpers/database/postgres.ts'
import { startPushService } from '../../helpers/server/push-service.ts'
import {
  type Person,
  postgresDatabase,
  secretKey,
  startTestServer,
} from '../../helpers/server/server.ts'

/** A server that pushes to a service on loopback, which opens and checks what arrives. */
export async function startPushServer(over: Partial<Ports> = {}) {
  const service = await startPushService()
  const fresh = await freshDatabase(inject('postgresUrl'))
  const database = postgresDatabase(fresh)
  const keeper = database.open()
  const secrets = await openSecrets(keeper, secretKey)
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const settings = { subject: 'mailto:admin@soma.local', services: [service.origin] }
  const push = await webPushSender(keeper, secrets, settings, log)
  const server = await startTestServer(database, { push, ...over })
  const send = () => sendDueNotifications(server.ports)
  /** The pushes that arrived at this browser, opened. */
  const arrived = (name: string) =>
    service.received
      .filter(({ path }) => path === `/${name}`)
      .map((each) => ({ ...each, json: JSON.parse(each.payload) }))
  return {
    ...server,
    service,
    push,
    /** Sends all that is due now. */
    send,
    /** So many milliseconds later it sends all that is due. */
    sendAfter: (milliseconds: number) => {
      server.clock.advance(milliseconds)
      return send()
    },
    /** Another process of the same database sends all that is due. */
    sendElsewhere: () => sendDueNotifications({ ...server.ports, repo: keeper }),
    subscribe: ({ token }: Pick<Person, 'token'>, name: string) =>
      server.ask('subscribe', { token, body: service.subscribe(name) }),
    arrived,
    titles: (name: string): string[] => arrived(name).map(({ json }) => json.notification.title),
    async close() {
      await server.close()
      await keeper.close()
      await service.close()
      await fresh.drop()
    },
  }
}
