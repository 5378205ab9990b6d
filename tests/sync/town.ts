import { v7 } from 'uuid'
import { call, type Question, type Transport } from '#contract/call.ts'
import type { Op } from '#contract/endpoints.ts'
import type { Delivery } from '#domain/delivery.ts'
import type { User } from '#domain/user.ts'
import type { SomaDb } from '#store/db.ts'
import { admin, startAppServer } from '../helpers/app-server.ts'
import { jpeg } from '../helpers/device.ts'
import { createPhone, type Network } from '../helpers/phone.ts'

const base = 'http://soma.test/api'
export const password = 'kente and kelewele'

export type Someone = { user: User; email: string; password: string; token: string }
export type Town = Awaited<ReturnType<typeof startTown>>

/** The real server, and people with accounts on it. */
export async function startTown() {
  const server = await startAppServer()

  const fetch: Transport = async (request) => {
    const url = new URL(request.url)
    const target = `${server.origin}${url.pathname}${url.search}`
    const body = request.method === 'GET' ? undefined : await request.arrayBuffer()
    return globalThis.fetch(target, { method: request.method, headers: request.headers, body })
  }

  async function ask<O extends Op>(op: O, question: Question = {}) {
    const { value } = await call(fetch, base, op, question)
    if (!value) throw new Error(`${op} answered nothing`)
    return value
  }

  let people = 0
  const config = await ask('config')
  const asAdmin = (await ask('login', { body: admin })).token

  async function hostedPhoto(): Promise<string> {
    const form = new FormData()
    form.set('file', new Blob([jpeg]))
    form.set('upload_preset', config.imageUploadPreset)
    const response = await fetch(new Request(config.imageUploadUrl, { method: 'POST', body: form }))
    return (await response.json()).secure_url
  }

  /** A person who has signed up and verified their phone. */
  async function person(role: 'sender' | 'driver'): Promise<Someone> {
    const number = String(++people).padStart(4, '0')
    const email = `${role}-${number}@soma.test`
    const phone = `024400${number}`
    const id = {
      idType: 'ghana_card',
      idNumber: `GHA-10000${number}-1`,
      idPhoto: await hostedPhoto(),
    }
    const body = { name: `${role} ${number}`, email, password, phone_number: phone, role }
    await ask('signup', { body: role === 'driver' ? { ...body, ...id } : body })
    await ask('confirmPhone', { body: { phone_number: phone, code: await server.smsCode(phone) } })
    const { user, token } = await ask('login', { body: { email, password } })
    return { user, email, password, token }
  }

  const sender = () => person('sender')

  async function driver(): Promise<Someone> {
    const someone = await person('driver')
    await ask('reviewDriver', { id: someone.user.ID, token: asAdmin, body: { status: 'approved' } })
    return { ...someone, user: { ...someone.user, driverStatus: 'approved' } }
  }

  async function delivery({ token }: Someone): Promise<Delivery> {
    const body = {
      ...{ itemDescription: 'Laptop', pickupZone: 'Osu', dropoffZone: 'Tema', offer: 60 },
      ...{ recipientName: 'Abena', recipientPhone: '0244123456' },
      itemPhoto: await hostedPhoto(),
    }
    return (await ask('createDelivery', { token, body, key: v7() })).delivery
  }

  return {
    fetch,
    ask,
    config,
    hostedPhoto,
    sender,
    driver,
    delivery,

    adminDeliveries: async (): Promise<Delivery[]> =>
      (await ask('adminDeliveries', { token: asAdmin })).deliveries,

    stats: async () => (await ask('adminStats', { token: asAdmin })).stats,

    smsCode: (phone: string) => server.smsCode(phone),

    /** What the server shows the guest who made a delivery on this device. */
    asGuestOf: async (db: SomaDb, id: string): Promise<Delivery> =>
      (await ask('getDelivery', { id, token: (await db.guests.get(id))?.guestToken })).delivery,

    /** A phone with an approved driver logged in on it. */
    driverPhone: async (network: Network) => {
      const someone = await driver()
      const phone = createPhone(network)
      await phone.start()
      await phone.session.login(someone.email, someone.password)
      return phone
    },

    /** The token this phone holds is ended behind its back. */
    endSessions: async ({ db }: { db: SomaDb }): Promise<void> => {
      const session = await db.sessions.get('current')
      await ask('logout', { token: session?.token, body: {} })
    },

    close: async () => {
      await server.stop()
    },
  }
}
