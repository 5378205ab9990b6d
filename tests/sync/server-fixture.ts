import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { Transport } from '#contract/transport.ts'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import type { SomaDb } from '#store/soma-db.ts'
import { createNetwork, createPhone, type Network, type Phone } from '../helpers/device/phone.ts'
import { photo, present, startTestServer } from '../helpers/server/server.ts'

export type ServerFixture = Awaited<ReturnType<typeof startServerFixture>>

/** The real server, as phones meet it, with an admin's eye on what it holds. */
async function startServerFixture() {
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

    /** The token this phone holds is ended behind its back. */
    endSessions: async ({ db }: { db: SomaDb }): Promise<void> => {
      const session = await db.sessions.get('current')
      await server.ask('logout', { token: session?.token })
    },
  }
}

type Options = Parameters<typeof createPhone>[1]

/**
 * One server for all tests of a file, a network of its own for each, and phones that end with their test. Call it at
 * the top of the file.
 */
export function serverOfFile() {
  let server: ServerFixture | undefined
  let network: Network | undefined
  const phones: Phone[] = []
  beforeAll(async () => {
    server = await startServerFixture()
  })
  afterAll(() => server?.close())
  beforeEach(() => {
    network = createNetwork(present(server).fetch)
  })
  afterEach(async () => {
    for (const phone of phones.splice(0)) await phone.kill()
  })

  function newPhone(options?: Options, on = present(network)): Phone {
    const phone = createPhone(on, options)
    phones.push(phone)
    return phone
  }
  async function startedPhone(options?: Options, on?: Network): Promise<Phone> {
    const phone = newPhone(options, on)
    await phone.start()
    return phone
  }
  /** A phone on which this person is logged in and has their lists. */
  async function phoneOf(person: Credentials, options?: Options, on?: Network): Promise<Phone> {
    const phone = await startedPhone(options, on)
    await phone.session.login(person.email, person.password)
    await phone.settle()
    return phone
  }
  return {
    server: () => present(server),
    network: () => present(network),
    newPhone,
    startedPhone,
    phoneOf,
    /** A phone on which another approved driver is logged in. */
    driverPhone: async (on?: Network): Promise<Phone> => {
      const phone = await startedPhone({}, on)
      const { email, password } = await present(server).driver()
      await phone.session.login(email, password)
      return phone
    },
  }
}

type Credentials = { email: string; password: string }
