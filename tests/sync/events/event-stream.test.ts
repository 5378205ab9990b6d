import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Transport } from '#contract/transport.ts'
import * as deliveryQueries from '#store/queries/deliveries.ts'
import * as queries from '#store/queries/queries.ts'
import { realClock } from '#sync/platform/context.ts'
import {
  createLocks,
  createNetwork,
  createPhone,
  type Network,
  type Phone,
} from '../../helpers/device/phone.ts'
import type { Person } from '../../helpers/server/server.ts'
import { type ServerFixture, startServerFixture } from '../server-fixture.ts'

let server: ServerFixture
beforeAll(async () => {
  server = await startServerFixture()
})
afterAll(() => server.close())

const phones: Phone[] = []
afterEach(async () => {
  for (const phone of phones.splice(0)) await phone.kill()
})

type CountingNetwork = { network: Network; streams: () => number; asked: (path: string) => number }

/** A network that counts the streams opened and the lists pulled. */
function countingNetwork(transport: Transport = server.fetch): CountingNetwork {
  const network = createNetwork(transport)
  const asked = (path: string) => network.passed.filter((each) => each.path.endsWith(path)).length
  return { network, asked, streams: () => asked('/events') }
}

type More = Parameters<typeof createPhone>[1] & { beside?: Phone }

/** A phone that lives in real time: what it hears, it hears by itself. */
async function tab(counting: CountingNetwork, person: Person, more: More = {}) {
  const phone = createPhone(counting.network, { clock: realClock, ...more })
  for (const [key, value] of more.beside?.storage ?? []) phone.storage.set(key, value)
  phones.push(phone)
  await phone.start()
  if (!(await queries.viewerSession(phone.db)))
    await phone.session.login(person.email, person.password)
  return phone
}

const isOpen = async ({ db }: Phone) =>
  ((await db.meta.get('stream'))?.value as { open: boolean } | undefined)?.open ?? false

/** When nothing has been asked for a while: a busy machine takes its time. */
async function quiet({ network }: CountingNetwork) {
  for (let before = -1; before < network.passed.length; ) {
    before = network.passed.length
    await new Promise((resolve) => setTimeout(resolve, 1_500))
  }
}

test('S21: news brings what others did, and asks only for what it names', async () => {
  const ama = await server.sender()
  const counting = countingNetwork()
  const phone = await tab(counting, ama)
  await expect.poll(() => isOpen(phone)).toBe(true)
  await quiet(counting)
  const before = counting.network.passed.length
  const made = await server.delivery(ama)
  await expect
    .poll(() => deliveryQueries.deliveryRow(phone.db, made.ID))
    .toMatchObject({ known: true })
  await quiet(counting)
  expect([...new Set(counting.network.passed.slice(before).map(({ path }) => path))]).toEqual([
    '/api/sender/deliveries',
  ])
})

test('S21: while the stream is open nothing it tells of is asked for', async () => {
  const counting = countingNetwork()
  const yaw = await server.driver()
  let now = Date.now()
  const clock = { ...realClock, now: () => now, monotonic: () => now }
  const phone = await tab(counting, yaw, { clock })
  await expect.poll(() => isOpen(phone)).toBe(true)
  await quiet(counting)
  // The opening of the stream makes everything worth a look, a second after the last one.
  now += 2_000
  await phone.engine.runRound()
  await quiet(counting)
  const before = counting.network.passed.length
  now += 55_000
  await phone.engine.runRound()
  expect(counting.network.passed.slice(before)).toEqual([])
  // Not heard for longer than a heartbeat may take, it is not trusted.
  now += 20_000
  await phone.engine.runRound()
  expect(counting.asked('/driver/status')).toBeGreaterThan(1)
})

test('S22: of two tabs one holds the stream, both see the news, and the other takes over', async () => {
  const ama = await server.sender()
  const counting = countingNetwork()
  const locks = createLocks()
  const one = await tab(counting, ama, { locks })
  await expect.poll(() => isOpen(one)).toBe(true)
  const two = await tab(counting, ama, { locks, dbName: one.db.name, beside: one })
  const made = await server.delivery(ama)
  const leave = two.engine.watch({ kind: 'delivery', id: made.ID })
  await expect
    .poll(() => deliveryQueries.deliveryRow(two.db, made.ID))
    .toMatchObject({ known: true })
  expect(counting.streams()).toBe(1)
  await server.drive(made, await server.driver(), 'Accepted')
  await expect
    .poll(async () => (await deliveryQueries.deliveryRow(two.db, made.ID))?.view.status)
    .toBe('Accepted')
  await one.engine.stop()
  await expect.poll(() => counting.streams(), { timeout: 14_000 }).toBe(2)
  await expect.poll(() => isOpen(two)).toBe(true)
  leave()
})

test('S23: a stream that breaks off is opened again, and what was missed meanwhile is fetched', async () => {
  const ama = await server.sender()
  const cuts: (() => void)[] = []
  const counting = countingNetwork(async (request) => {
    const response = await server.fetch(request)
    if (!request.url.endsWith('/events')) return response
    const { readable, writable } = new TransformStream()
    const cut = new AbortController()
    cuts.push(() => cut.abort(new Error('Cut')))
    void response.body?.pipeTo(writable, { signal: cut.signal }).catch(() => {})
    return new Response(readable, response)
  })
  const phone = await tab(counting, ama)
  await expect.poll(() => isOpen(phone)).toBe(true)
  await quiet(counting)
  counting.network.cut()
  cuts[0]?.()
  await expect.poll(() => isOpen(phone)).toBe(false)
  const made = await server.delivery(ama)
  counting.network.restore()
  await expect
    .poll(() => deliveryQueries.deliveryRow(phone.db, made.ID))
    .toMatchObject({ known: true })
  await expect.poll(() => isOpen(phone)).toBe(true)
  expect(counting.streams()).toBe(2)
})

test('S23: a stream on which nothing is said for a minute counts as dead', async () => {
  const ama = await server.sender()
  const timers: { work: () => void; delay: number }[] = []
  const clock = {
    ...realClock,
    setTimeout: (work: () => void, delay: number) => timers.push({ work, delay }),
    clearTimeout: (at: unknown) => {
      if (typeof at === 'number') timers.splice(at - 1, 1, { work: () => {}, delay: 0 })
    },
  }
  const phone = await tab(countingNetwork(), ama, { clock })
  await expect.poll(() => isOpen(phone)).toBe(true)
  for (const { work } of timers.filter(({ delay }) => delay === 60_000)) work()
  await expect.poll(() => isOpen(phone)).toBe(false)
})

test('S23: where there is no stream the lists are asked for at their pace, and it is not tried again', async () => {
  const counting = countingNetwork(async (request) =>
    request.url.endsWith('/events')
      ? new Response('{"error": "Not here"}', {
          status: 404,
          headers: { 'content-type': 'application/json' },
        })
      : server.fetch(request),
  )
  let now = Date.now()
  const phone = await tab(counting, await server.sender(), {
    clock: { ...realClock, now: () => now, monotonic: () => now },
  })
  await expect.poll(() => counting.streams()).toBe(1)
  await quiet(counting)
  const before = counting.asked('/sender/deliveries')
  now += 11_000
  await phone.engine.runRound()
  expect(counting.asked('/sender/deliveries')).toBe(before + 1)
  await quiet(counting)
  expect(counting.streams()).toBe(1)
})

test('S22: nobody is listened for once they have logged out', async () => {
  const counting = countingNetwork()
  const phone = await tab(counting, await server.sender())
  await expect.poll(() => isOpen(phone)).toBe(true)
  await phone.session.logout('keep')
  await expect.poll(() => isOpen(phone)).toBe(false)
  await quiet(counting)
  expect(counting.streams()).toBe(1)
})

test('S22: a page nobody is logged in to sleeps until somebody is', async () => {
  const delays: number[] = []
  const setTimeout = (work: () => void, delay: number) => {
    delays.push(delay)
    return realClock.setTimeout(work, delay)
  }
  const ama = await server.sender()
  const counting = countingNetwork()
  const phone = await tab(counting, ama, { clock: { ...realClock, setTimeout } })
  await expect.poll(() => isOpen(phone)).toBe(true)
  delays.length = 0
  await phone.session.logout('keep')
  await expect.poll(() => delays).toContain(3_600_000)
  expect(delays).not.toContain(10_000)
  await phone.session.login(ama.email, ama.password)
  await expect.poll(() => counting.streams()).toBe(2)
})
