import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Transport } from '#contract/transport.ts'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import type { SomaDb } from '#store/soma-db.ts'
import { createNetwork, createPhone, type Network } from '../helpers/device/phone.ts'
import { photo, present, startTestServer } from '../helpers/server/server.ts'

export type ServerFixture = Awaited<ReturnType<typeof startServerFixture>>

/** The real server, as phones meet it, with an admin's eye on what it holds. */
export async function startServerFixture() {
  const server = await startTestServer()
  const admin = await server.admin()
  const fetch: Transport = (request) => server.fetch(request)
  const { value: config } = await server.ask('config')

  const adminDeliveries = async (): Promise<Delivery[]> =>
    present((await server.ask('adminDeliveries', { token: admin.token })).value).deliveries

  return {
    ...server,
    fetch,
    config: present(config),
    /** A photo the image provider already has. */
    hostedPhoto: photo,
    admin,

    adminDeliveries,

    /** What the server has under this ID: nothing, or one. */
    held: async (id: string): Promise<Delivery[]> =>
      (await adminDeliveries()).filter(({ ID }) => ID === id),

    stats: async () =>
      present((await server.ask('adminStats', { token: admin.token })).value).stats,

    /** What the server shows the guest who made a delivery on this device. */
    asGuestOf: async (db: SomaDb, id: string): Promise<Delivery> => {
      const token = (await db.guests.get(id))?.guestToken
      return present((await server.ask('getDelivery', { id, token })).value).delivery
    },

    /** A phone with an approved driver logged in on it. */
    driverPhone: async (network: Network) => {
      const someone = await server.driver()
      const phone = createPhone(network)
      await phone.start()
      await phone.session.login(someone.email, someone.password)
      return phone
    },

    /** The token this phone holds is ended behind its back. */
    endSessions: async ({ db }: { db: SomaDb }): Promise<void> => {
      const session = await db.sessions.get('current')
      await server.ask('logout', { token: session?.token })
    },
  }
}

/** One server for all tests of a file, and a network of its own for each. Call it at the top of the file. */
export function serverOfFile(): { server: () => ServerFixture; network: () => Network } {
  let server: ServerFixture | undefined
  let network: Network | undefined
  beforeAll(async () => {
    server = await startServerFixture()
  })
  afterAll(() => server?.close())
  beforeEach(() => {
    network = createNetwork(present(server).fetch)
  })
  return { server: () => present(server), network: () => present(network) }
}
