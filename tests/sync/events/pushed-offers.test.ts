import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { offersRef } from '#store/deliveries/offered-route.ts'
import * as lists from '#store/queries/lists.ts'
import { loadLazy } from '#sync/load-lazy.ts'
import { realClock } from '#sync/platform/context.ts'
import { createNetwork, createPhone, type Network, type Phone } from '../../helpers/device/phone.ts'
import { type ServerFixture, startServerFixture } from '../server-fixture.ts'

let server: ServerFixture
beforeAll(async () => {
  await loadLazy()
  server = await startServerFixture()
})
afterAll(() => server.close())

const phones: Phone[] = []
afterEach(async () => {
  for (const phone of phones.splice(0)) await phone.kill()
})

/** A driver's phone in real time, and what it has asked for since the last look. */
async function driverPhone(more: Parameters<typeof createPhone>[1] = {}) {
  const streams: { query: URLSearchParams; after: string | null; end: () => void }[] = []
  const network: Network = createNetwork(async (request) => {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname !== '/api/events') return server.fetch(request)
    const connection = new AbortController()
    const after = request.headers.get('last-event-id')
    streams.push({ query: searchParams, after, end: () => connection.abort() })
    const response = await server.fetch(request)
    const cut = new TransformStream()
    void response.body?.pipeTo(cut.writable, { signal: connection.signal }).catch(() => undefined)
    return new Response(cut.readable, response)
  })
  const someone = await server.driver()
  const phone = createPhone(network, { clock: realClock, ...more })
  phones.push(phone)
  await phone.start()
  await phone.session.login(someone.email, someone.password)
  const state = async () => (await phone.db.meta.get('stream'))?.value as { open: boolean }
  await expect.poll(async () => (await state())?.open).toBe(true)
  const asked = () => network.passed.map(({ path }) => path).filter((path) => !/events/.test(path))
  /** When nothing has been asked for a while; what was asked until then. */
  async function quiet() {
    for (let before = -1; before < network.passed.length; ) {
      before = network.passed.length
      await new Promise((resolve) => setTimeout(resolve, 1_500))
    }
    const paths = asked()
    network.passed.length = 0
    return paths
  }
  const offers = async (route = {}) =>
    (await lists.available(phone.db, route, 10_000)).map(({ ID }) => ID)
  await quiet()
  return { phone, streams, quiet, offers, state }
}

test('S51: a job that is offered, taken and offered again causes no request', async () => {
  const { quiet, offers } = await driverPhone()
  const made = await server.delivery(await server.sender())
  await expect.poll(() => offers()).toContain(made.ID)
  const other = await server.driver()
  await server.drive(made, other, 'Accepted')
  await expect.poll(() => offers()).not.toContain(made.ID)
  const token = server.admin.token
  await server.ask('reviewDriver', { token, id: other.user.ID, body: { status: 'rejected' } })
  await expect.poll(() => offers()).toContain(made.ID)
  expect(await quiet()).toEqual([])
})

test('S51: the stream names the routes that are looked at, and follows them', async () => {
  const { phone, streams, quiet, offers } = await driverPhone()
  expect(streams.map(({ query }) => query.getAll('route')).at(-1)).toEqual(['*|*'])
  const leave = phone.engine.watch(offersRef({ pickupZone: 'Osu' }))
  await expect.poll(() => streams.at(-1)?.query.getAll('route')).toEqual(['Osu|*'])
  await quiet()
  const sender = await server.sender()
  const near = await server.delivery(sender, { pickupZone: 'Osu', dropoffZone: 'Tema' })
  await expect.poll(() => offers({ pickupZone: 'Osu' })).toContain(near.ID)
  const far = await server.delivery(await server.sender(), {
    pickupZone: 'Madina',
    dropoffZone: 'Tema',
  })
  expect(await quiet()).toEqual([])
  expect(await offers()).not.toContain(far.ID)
  leave()
  await expect.poll(() => offers()).toContain(far.ID)
})

test('S52: a stream that broke off goes on where it was, and no list is asked for', async () => {
  const { streams, quiet, offers, state } = await driverPhone()
  const before = streams.length
  streams.at(-1)?.end()
  const made = await server.delivery(await server.sender())
  await expect.poll(() => streams.length, { timeout: 10_000 }).toBeGreaterThan(before)
  await expect.poll(() => offers(), { timeout: 5_000 }).toContain(made.ID)
  expect(streams.at(-1)?.after).not.toBeNull()
  expect(await quiet()).toEqual([])
  expect((await state()).open).toBe(true)
})

test('S52: where the server no longer knows the position, every list is asked for once', async () => {
  const { phone, streams, quiet } = await driverPhone()
  const stored = await phone.db.meta.get('stream')
  await phone.db.meta.put({
    key: 'stream',
    value: { ...(stored?.value as object), position: 'of another process' },
  })
  const before = streams.length
  streams.at(-1)?.end()
  await expect.poll(() => streams.length, { timeout: 10_000 }).toBeGreaterThan(before)
  const asked = await quiet()
  expect(asked).toContain('/api/driver/available-deliveries')
  expect(asked.filter((path) => path === '/api/driver/my-deliveries')).toHaveLength(1)
})
