import { v7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type DemoServer, openDemoServer } from '#demo/backend/server.ts'
import { serverOrigin } from '#demo/backend/server-origin.ts'
import { demoPassword, personas } from '#demo/simulation/personas.ts'
import { residents } from '#demo/simulation/residents.ts'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import type { PaymentMode } from '#domain/deliveries/payment.ts'
import { photo } from '../../e2e/helpers/photo.ts'
import { present } from '../../helpers/present.ts'

const home = 'https://host.test/'
let mode: PaymentMode
let late: number
let storagePrefix: string
const servers: DemoServer[] = []
/** A tab of the demo. */
async function openTab(): Promise<DemoServer> {
  const clock = () => Date.now() + late
  const withBuildLock = (work: () => Promise<void>) => work()
  const about = { storagePrefix, home, clock, withBuildLock, paymentMode: () => mode }
  const server = await openDemoServer(about)
  servers.push(server)
  return server
}

// One city for all tests: each leaves no prompt unanswered.
let server: DemoServer
beforeAll(async () => {
  storagePrefix = `demo ${v7()}:`
  mode = 'paystack'
  late = 0
  server = await openTab()
})
beforeEach(() => {
  mode = 'paystack'
})
afterAll(async () => {
  for (const each of servers.splice(0)) await each.close()
})

async function ask(method: string, path: string, about: { token?: string; body?: object } = {}) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${about.token}` }
  const body = about.body && JSON.stringify(about.body)
  const asked = new Request(`${serverOrigin}/api${path}`, { method, headers, body })
  const response = await server.fetch(asked)
  return { status: response.status, body: await response.json() }
}

async function logIn(email: string): Promise<string> {
  const body = { email, password: demoPassword }
  return (await ask('POST', '/login', { body })).body.token
}

/** A delivery of this sender. */
async function requested(token: string, more: object = {}): Promise<Delivery> {
  const { buffer, mimeType, name } = photo(5, 16)
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(buffer)], { type: mimeType }), name)
  form.set('upload_preset', 'soma')
  const url = `${serverOrigin}/api/images/upload`
  const uploaded = await server.fetch(new Request(url, { method: 'POST', body: form }))
  const body = {
    itemDescription: 'Kente',
    pickupZone: 'Osu',
    dropoffZone: 'Tema',
    offer: 60,
    recipientName: 'Esi',
    recipientPhone: '0550000001',
    itemPhoto: (await uploaded.json()).secure_url,
    ...more,
  }
  const made = await ask('POST', '/sender/deliveries', { token, body })
  expect(made.status).toBe(201)
  return made.body.delivery
}

const seen = async (id: string) =>
  present(await server.ports.repo.read(({ deliveries }) => deliveries.get(id)))
const rows = (id: string) => server.ports.repo.read(({ payments }) => payments.ofDelivery(id))
/** The prompts that wait for an answer. */
const prompts = () => server.demoDb.payments.orderBy('promptedAt').toArray()
/** The only prompt, once it has come. */
async function prompted() {
  await expect.poll(async () => (await prompts()).length).toBe(1)
  return present((await prompts())[0])
}
const statusOf = async (id: string) => (await seen(id)).payment?.status

/** Moves payments as if so much time had passed, in milliseconds. */
async function later(by: number) {
  late += by
  await server.ports.repo.transaction(({ publish }) =>
    publish({ about: 'delivery', id: '', to: [] }),
  )
}

/** Answers the only prompt, once the server has heard that it was sent. */
async function answer(id: string, status: 'paid' | 'failed', tab = server) {
  const { reference } = await prompted()
  await expect.poll(async () => (await rows(id)).at(-1)?.status).toBe('sent')
  await (await tab.payments()).answer(reference, status)
}

test('R173, R178: a request waits for its prompt in the inbox; approved, its job is on offer, and its driver is paid by itself', async () => {
  expect((await ask('GET', '/config')).body.payments).toBe('paystack')
  await server.payments()
  const sender = await logIn(personas.sender.email)
  const { ID, deliveryCode: code } = await requested(sender)
  expect(await prompted()).toMatchObject({ pesewas: 6000, phone: personas.sender.phone })
  const driver = await logIn(personas.driver.email)
  const accepting = () => ask('PATCH', `/driver/deliveries/${ID}/accept`, { token: driver })
  expect((await accepting()).status).toBe(409)
  // Nothing but the visitor answers it.
  await later(60_000)
  await expect.poll(async () => (await rows(ID))[0]?.tries).toBeGreaterThan(1)
  expect(await statusOf(ID)).toBe('waiting')

  await answer(ID, 'paid')
  await expect.poll(() => statusOf(ID)).toBe('held')
  expect(await prompts()).toEqual([])
  expect((await accepting()).status).toBe(200)
  const step = (body: object, token = driver) =>
    ask('PATCH', `/deliveries/${ID}/status`, { token, body })
  expect((await step({ status: 'Picked Up' })).status).toBe(200)
  const done = await ask('POST', `/driver/deliveries/${ID}/complete`, {
    token: driver,
    body: { code },
  })
  expect(done.status).toBe(200)
  expect((await step({ status: 'Approved' }, sender)).status).toBe(200)
  await expect.poll(async () => (await seen(ID)).payout?.status).not.toBe('waiting')
  await later(60_000)
  await expect.poll(async () => (await seen(ID)).payout?.status).toBe('paid')
  const { phone } = personas.driver
  expect((await rows(ID)).at(-1)).toMatchObject({ kind: 'payout', pesewas: 6000, phone })
})

test('R171, R176, R178: a prompt that fails says so, the next one is approved in another tab, and after the way to pay was changed a cancelled request goes back', async () => {
  await server.payments()
  const sender = await logIn(personas.sender.email)
  const { ID } = await requested(sender)
  await answer(ID, 'failed')
  await expect
    .poll(async () => (await seen(ID)).payment)
    .toMatchObject({ status: 'failed', message: 'The prompt was declined.' })
  expect((await ask('POST', `/deliveries/${ID}/payment`, { token: sender, body: {} })).status).toBe(
    200,
  )
  const other = await openTab()
  await answer(ID, 'paid', other)
  await expect.poll(() => statusOf(ID)).toBe('held')
  // What began with the provider ends with it.
  mode = 'direct'
  expect((await ask('GET', '/config')).body.payments).toBe('direct')
  const body = { status: 'Cancelled' }
  expect((await ask('PATCH', `/deliveries/${ID}/status`, { token: sender, body })).status).toBe(200)
  await expect.poll(async () => (await rows(ID)).at(-1)?.status).not.toBe('waiting')
  await later(60_000)
  await expect.poll(() => statusOf(ID)).toBe('refunded')
  expect((await requested(sender)).payment).toBeUndefined()
  expect(await prompts()).toEqual([])
})

test('A resident of the city approves their own prompt, which is in nobody’s inbox', async () => {
  await server.payments()
  const busy = await server.ports.repo.read(({ deliveries }) =>
    deliveries.list(
      { of: 'everyone', statuses: ['Pending', 'Accepted', 'Picked Up', 'Delivered'] },
      { limit: 1_000 },
    ),
  )
  const resident = present(
    residents.find(
      ({ id, driverStatus }) =>
        !driverStatus &&
        id !== personas.sender.id &&
        !busy.rows.some((row) => row.sender?.id === id),
    ),
  )
  const { ID } = await requested(await logIn(resident.email))
  await expect.poll(async () => (await rows(ID))[0]?.status).not.toBe('waiting')
  expect(await prompts()).toEqual([])
  await later(60_000)
  await expect.poll(() => statusOf(ID)).toBe('held')
})
