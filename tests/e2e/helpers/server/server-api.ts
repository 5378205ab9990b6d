import pg from 'pg'
import { v7 } from 'uuid'
import { type CallInput, type CallResult, call } from '#contract/calls/call.ts'
import type { Op } from '#contract/endpoints.ts'
import type { BodyOf } from '#contract/queries.ts'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { present } from '../../../helpers/present.ts'
import { admin as adminLogin } from '../../../helpers/server/app-server.ts'
import { photo } from '../photo.ts'
import type { ServerFixture } from './server-fixture.ts'

/** A verified account, created through the API. */
export type Account = {
  id: string
  name: string
  email: string
  phone: string
  password: string
  token: string
}

export type ServerApi = ReturnType<typeof serverApi>

const password = 'a long enough password'

/**
 * Calls the server's API directly, past the proxy: creates the accounts and deliveries a test starts
 * from, and reads what the server stored.
 */
export function serverApi(fixture: () => ServerFixture) {
  let adminToken: string | undefined
  let count = 0

  async function ask<O extends Op>(op: O, input: CallInput & { body?: BodyOf<O> } = {}) {
    const base = `${fixture().server.origin}/api`
    return present((await call((request) => fetch(request), base, op, input)).value)
  }

  async function asAdmin<O extends Op>(
    op: O,
    input: CallInput & { body?: BodyOf<O> } = {},
  ): Promise<NonNullable<CallResult<O>['value']>> {
    adminToken ??= (await ask('login', { body: adminLogin })).token
    return ask(op, { ...input, token: adminToken })
  }

  /** Every delivery with this item description. */
  async function deliveriesNamed(item: string): Promise<Delivery[]> {
    const { deliveries } = await asAdmin('adminDeliveries', { query: { limit: '100' } })
    return deliveries.filter(({ itemDescription }) => itemDescription === item)
  }

  /** The only delivery with this item description; throws when there are several or none. */
  async function deliveryNamed(item: string): Promise<Delivery> {
    const [found, ...more] = await deliveriesNamed(item)
    if (more.length > 0) throw new Error(`${item} exists ${more.length + 1} times`)
    return present(found)
  }

  async function uploadPhoto(): Promise<string> {
    const { imageUploadUrl, imageUploadPreset } = await ask('config')
    const { buffer, mimeType, name } = photo(++count)
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(buffer)], { type: mimeType }), name)
    form.set('upload_preset', imageUploadPreset)
    const response = await fetch(imageUploadUrl, { method: 'POST', body: form })
    const body: { secure_url?: string } = await response.json()
    return present(body.secure_url)
  }

  async function createAccount(name: string, role: 'sender' | 'driver'): Promise<Account> {
    const phone = `0209${String(100_000 + ++count)}`
    const email = `${name.toLowerCase().replaceAll(' ', '.')}.${count}@example.com`
    const idNumber = `GHA-${phone.slice(1)}-0`
    const driverFields = async () => ({
      idType: 'ghana_card',
      idNumber,
      idPhoto: await uploadPhoto(),
    })
    const body: Record<string, unknown> = {
      name,
      email,
      password,
      phone_number: phone,
      role,
      ...(role === 'driver' ? await driverFields() : {}),
    }
    const { user, token } = await ask('signup', { body: body as BodyOf<'signup'> })
    const code = await fixture().server.smsCode(phone)
    await ask('confirmPhone', { body: { phone_number: phone, code } })
    return { id: user.ID, name, email, phone, password, token }
  }

  /** A driver whom an admin approved. */
  async function createDriver(name: string): Promise<Account> {
    const person = await createAccount(name, 'driver')
    await asAdmin('reviewDriver', { id: person.id, body: { status: 'approved' } })
    return person
  }

  async function createDelivery(
    by: Account,
    over: Partial<BodyOf<'createDelivery'>>,
  ): Promise<Delivery> {
    const body = {
      itemDescription: 'Documents',
      pickupZone: 'Osu',
      dropoffZone: 'Tema',
      offer: 60,
      recipientName: 'Esi Mensah',
      recipientPhone: '0550000001',
      itemPhoto: over.itemPhoto ?? (await uploadPhoto()),
      ...over,
    }
    return (await ask('createDelivery', { token: by.token, key: v7(), body })).delivery
  }

  const acceptDelivery = async (by: Account, id: string): Promise<Delivery> =>
    (await ask('acceptDelivery', { token: by.token, id })).delivery

  /** Takes a delivery from Pending to Delivered as this driver. */
  async function completeDelivery(by: Account, { ID: id, deliveryCode }: Delivery): Promise<void> {
    await acceptDelivery(by, id)
    await ask('changeStatus', { token: by.token, id, body: { status: 'Picked Up' } })
    const code = present(deliveryCode)
    await ask('completeDelivery', { token: by.token, id, body: { code } })
  }

  /** Runs `work` on the server's own database. */
  async function inDatabase<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client(fixture().server.database())
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }

  /** The sum of the offers of all Approved deliveries, in cedis (R42). */
  const revenue = async (): Promise<number> => (await asAdmin('adminStats')).stats.totalRevenue

  return {
    ask,
    asAdmin,
    deliveriesNamed,
    deliveryNamed,
    createAccount,
    createDriver,
    createDelivery,
    uploadPhoto,
    acceptDelivery,
    completeDelivery,
    revenue,
    ledger: (deliveryId: string) => inDatabase((client) => ledger(client, deliveryId)),
    inDatabase,
  }
}

/** The ledger entries of one delivery, read from the server's database. */
async function ledger(client: pg.Client, deliveryId: string) {
  const { rows } = await client.query<{ kind: string; account: string; pesewas: string }>(
    `select kind, account, pesewas from transfers join entries on transfer_id = id
     where delivery_id = $1 order by kind, pesewas`,
    [deliveryId],
  )
  return rows.map(({ kind, account, pesewas }) => ({ kind, account, pesewas: Number(pesewas) }))
}
