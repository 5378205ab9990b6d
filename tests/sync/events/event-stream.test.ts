import { Dexie } from 'dexie'
import { expect, test } from 'vitest'
import type { Transport } from '#contract/transport.ts'
import * as deliveryQueries from '#store/queries/deliveries.ts'
import { followOpening, type OpeningFailure } from '#sync/database/connection/opening.ts'
import { createLocks } from '../../helpers/device/phone.ts'
import type { Person } from '../../helpers/server/server.ts'
import { serverOfFile } from '../server-fixture.ts'
import { type StreamPhone, streamPhonesOfFile } from './stream-phone.ts'

const { server } = serverOfFile()
const openPhone = streamPhonesOfFile()

/** A phone on which this person is logged in, and to which the stream's first event has come. */
async function listening(person: Person, more: Parameters<typeof openPhone>[1] = {}) {
  const listener = await loggedIn(person, (request) => server().fetch(request), more)
  await listener.isOpen()
  // Once it is open everything is worth a look, a second after the last one.
  await listener.letPass(2_000)
  return listener
}

async function loggedIn(
  person: Person,
  transport: Transport,
  more: Parameters<typeof openPhone>[1] = {},
) {
  const opened = openPhone(transport, more)
  await opened.phone.start()
  await opened.phone.session.login(person.email, person.password)
  return opened
}

/** How often a path was asked for. */
const asked = ({ network }: StreamPhone, path: string) =>
  network.passed.filter((each) => each.path.endsWith(path)).length

test('S21: news brings what others did, and asks only for what it names', async () => {
  const ama = await server().sender()
  const { phone, network, letPass, hears } = await listening(ama)
  const before = network.passed.length
  const made = await hears(() => server().delivery(ama))
  await letPass(2_000)
  expect(await deliveryQueries.deliveryRow(phone.db, made.ID)).toMatchObject({ known: true })
  expect([...new Set(network.passed.slice(before).map(({ path }) => path))]).toEqual([
    '/api/sender/deliveries',
  ])
})

test('S21: while the stream is open nothing it tells of is asked for', async () => {
  const listener = await listening(await server().driver())
  const before = listener.network.passed.length
  await listener.letPass(55_000)
  expect(listener.network.passed.slice(before)).toEqual([])
  // Not heard for longer than a heartbeat may take, it is not trusted.
  const status = asked(listener, '/driver/status')
  await listener.letPass(20_000)
  expect(asked(listener, '/driver/status')).toBeGreaterThan(status)
})

test('S22: of two tabs one holds the stream, both see the news, and the other takes over', async () => {
  const ama = await server().sender()
  const locks = createLocks()
  const one = await listening(ama, { locks })
  const two = openPhone((request) => server().fetch(request), { locks, beside: one })
  await two.phone.start()
  const made = await one.hears(() => server().delivery(ama))
  const leave = two.phone.engine.watch({ kind: 'delivery', id: made.ID })
  await two.letPass(2_000)
  const row = () => deliveryQueries.deliveryRow(two.phone.db, made.ID)
  expect(await row()).toMatchObject({ known: true })
  expect(asked(one, '/events')).toBe(1)
  const driver = await server().driver()
  await one.hears(() => server().drive(made, driver, 'Accepted'))
  await two.letPass(2_000)
  expect((await row())?.view.status).toBe('Accepted')
  await one.phone.engine.stop()
  await two.letPass(15_000)
  expect(asked(one, '/events')).toBe(2)
  await two.isOpen()
  leave()
})

/** A phone whose first stream breaks off when `cut` is called. */
async function loggedInUntilCut(by: Person) {
  const cuts: (() => void)[] = []
  const listener = await loggedIn(by, async (request) => {
    const response = await server().fetch(request)
    if (!request.url.endsWith('/events')) return response
    const { readable, writable } = new TransformStream()
    const connection = new AbortController()
    cuts.push(() => connection.abort(new Error('Cut')))
    void response.body?.pipeTo(writable, { signal: connection.signal }).catch(() => {})
    return new Response(readable, response)
  })
  return { listener, cut: () => cuts[0]?.() }
}

test('S23: a stream that breaks off is opened again, and what was missed meanwhile is fetched', async () => {
  const ama = await server().sender()
  const { listener, cut } = await loggedInUntilCut(ama)
  const { phone, network, letPass } = listener
  await listener.isOpen()
  await letPass(2_000)
  network.cut()
  cut()
  await letPass(10_000)
  await listener.isClosed()
  const made = await server().delivery(ama)
  await listener.hears(async () => {
    network.restore()
    await letPass(30_000)
  })
  await letPass(2_000)
  expect(await deliveryQueries.deliveryRow(phone.db, made.ID)).toMatchObject({ known: true })
  await listener.isOpen()
  expect(asked(listener, '/events')).toBe(2)
})

test('S23: where a stream that broke off is opened again and not answered, lists are polled after five seconds', async () => {
  const ama = await server().sender()
  const { listener, cut } = await loggedInUntilCut(ama)
  await listener.isOpen()
  await listener.letPass(20_000)
  listener.network.hold(({ url }) => (url.endsWith('/events') ? new Promise(() => {}) : undefined))
  cut()
  const before = asked(listener, '/sender/deliveries')
  const made = await server().delivery(ama)
  await listener.letPass(20_000)
  await listener.isClosed()
  expect(asked(listener, '/sender/deliveries')).toBeGreaterThan(before)
  expect(await deliveryQueries.deliveryRow(listener.phone.db, made.ID)).toMatchObject({
    known: true,
  })
})

test('S23: a stream on which nothing is said for a minute counts as dead', async () => {
  const { clock, isClosed } = await listening(await server().sender())
  clock.pass(61_000)
  await isClosed()
})

test('S23: where the server has no stream, or the browser reads none, the lists are asked for at their pace, and it is not tried again', async () => {
  const noStream = () => Response.json({ error: 'Not here' }, { status: 404 })
  const unread = () =>
    Object.defineProperty(
      new Response('', { headers: { 'content-type': 'text/event-stream' } }),
      'body',
      { value: null },
    )
  const sender = await server().sender()
  for (const answer of [noStream, unread]) {
    const listener = await loggedIn(sender, async (request) =>
      request.url.endsWith('/events') ? answer() : server().fetch(request),
    )
    await listener.letPass(2_000)
    expect(asked(listener, '/events')).toBe(1)
    const before = asked(listener, '/sender/deliveries')
    await listener.letPass(10_000)
    expect(asked(listener, '/sender/deliveries')).toBe(before + 1)
    await listener.letPass(15_000)
    expect(asked(listener, '/events')).toBe(1)
  }
})

test('S22: nobody is listened for once they have logged out', async () => {
  const listener = await listening(await server().sender())
  await listener.phone.session.logout('keep')
  await listener.isClosed()
  await listener.letPass(60_000)
  expect(asked(listener, '/events')).toBe(1)
})

test('S22: a page nobody is logged in to sleeps until somebody is', async () => {
  const ama = await server().sender()
  const listener = await listening(ama)
  const { phone, clock } = listener
  await phone.session.logout('keep')
  await listener.isClosed()
  await listener.letPass(1)
  expect(clock.pending()).toContain(3_600_000)
  expect(clock.pending()).not.toContain(10_000)
  await phone.session.login(ama.email, ama.password)
  await expect.poll(() => asked(listener, '/events')).toBe(2)
})

test('S83: a page whose database a newer version takes over says so, and requests and holds nothing more', async () => {
  const locks = createLocks()
  const { phone, network, letPass } = await listening(await server().sender(), { locks })
  const heard: ('open' | OpeningFailure)[] = []
  const stopFollowing = followOpening(phone.db, (state) => heard.push(state))
  await expect.poll(() => heard).toEqual(['open'])
  const { name, verno } = phone.db
  const newer = new Dexie(name)
  newer.version(verno + 1).stores({})
  await newer.open()
  expect(heard.slice(1)).toMatchObject([{ error: { name: 'VersionError' } }])
  await expect(phone.db.deliveries.count()).rejects.toMatchObject({ name: 'DatabaseClosedError' })
  const before = network.passed.length
  await letPass(120_000)
  expect(network.passed.slice(before)).toEqual([])
  for (const lock of ['events', 'send'])
    expect(await locks.run(`soma-${lock}:${name}`, async () => {})).toBe(true)
  stopFollowing()
  newer.close()
})
