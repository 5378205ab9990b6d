import { expect, test } from 'vitest'
import { offersRef } from '#store/deliveries/offered-route.ts'
import * as lists from '#store/queries/lists.ts'
import { streamPhonesOfFile } from '../../sync/events/stream-phone.ts'
import { serverOfFile } from '../../sync/server-fixture.ts'

const { server } = serverOfFile()
const openPhone = streamPhonesOfFile()

/** A driver's phone that listens, and what it has asked for since the last look. */
async function driverPhone() {
  const streams: { query: URLSearchParams; after: string | null; end: () => void }[] = []
  const opened = openPhone(async (request) => {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname !== '/api/events') return server().fetch(request)
    const connection = new AbortController()
    const after = request.headers.get('last-event-id')
    streams.push({ query: searchParams, after, end: () => connection.abort() })
    const response = await server().fetch(request)
    const cut = new TransformStream()
    void response.body?.pipeTo(cut.writable, { signal: connection.signal }).catch(() => undefined)
    return new Response(cut.readable, response)
  })
  const { phone, network, letPass } = opened
  const someone = await server().driver()
  await phone.start()
  await phone.session.login(someone.email, someone.password)
  await opened.isOpen()
  /** What was asked for since the last look, once what the phone has heard is dealt with. */
  async function asked() {
    await letPass(2_000)
    const paths = network.passed.map(({ path }) => path).filter((path) => !/events/.test(path))
    network.passed.length = 0
    return paths
  }
  const offers = async (route = {}) =>
    (await lists.available(phone.db, route, 10_000)).map(({ ID }) => ID)
  await asked()
  return { ...opened, streams, asked, offers }
}

test('S51: a job that is offered, taken and offered again causes no request', async () => {
  const { asked, offers } = await driverPhone()
  const made = await server().delivery(await server().sender())
  await expect.poll(() => offers()).toContain(made.ID)
  const other = await server().driver()
  await server().drive(made, other, 'Accepted')
  await expect.poll(() => offers()).not.toContain(made.ID)
  const token = server().admin.token
  await server().ask('reviewDriver', { token, id: other.user.ID, body: { status: 'rejected' } })
  await expect.poll(() => offers()).toContain(made.ID)
  expect(await asked()).toEqual([])
})

test('S51: the stream names the routes that are looked at, and follows them', async () => {
  const { phone, streams, letPass, asked, offers } = await driverPhone()
  const routes = () => streams.at(-1)?.query.getAll('route')
  const post = async (pickupZone: string) =>
    server().delivery(await server().sender(), { pickupZone, dropoffZone: 'Tema' })
  expect(routes()).toEqual(['*|*'])
  const leave = phone.engine.watch(offersRef({ pickupZone: 'Osu' }))
  await letPass(1_000)
  expect(routes()).toEqual(['Osu|*'])
  await asked()
  const far = await post('Madina')
  const near = await post('Osu')
  await expect.poll(() => offers({ pickupZone: 'Osu' })).toContain(near.ID)
  expect(await asked()).toEqual([])
  expect(await offers()).not.toContain(far.ID)
  leave()
  await letPass(1_000)
  expect(routes()).toEqual(['*|*'])
  await expect
    .poll(async () => {
      await letPass(2_000)
      return offers()
    })
    .toContain(far.ID)
})

test('S51, S85: the stream names a driver’s way, and brings the adverts of the jobs on it', async () => {
  const { phone, streams, letPass, asked, offers } = await driverPhone()
  const way = { from: 'Dansoman', to: 'Tema', detour: 5 }
  const leave = phone.engine.watch(offersRef(way))
  await letPass(1_000)
  expect(streams.at(-1)?.query.toString()).toBe('way=Dansoman%7CTema%7C5')
  await asked()
  const post = async (pickupZone: string, dropoffZone = 'Tema') =>
    server().delivery(await server().sender(), { pickupZone, dropoffZone })
  const [far, near] = [await post('Adenta'), await post('Osu')]
  await expect.poll(() => offers(way)).toContain(near.ID)
  expect(await asked()).toEqual([])
  expect(await offers()).not.toContain(far.ID)
  // Beside a route an older server would ignore the way: both are written as ways, and it sends all.
  const route = { pickupZone: 'Circle' }
  const leaveRoute = phone.engine.watch(offersRef(route))
  await letPass(1_000)
  expect(streams.at(-1)?.query.getAll('way')).toEqual(['Circle|*', 'Dansoman|Tema|5'])
  expect(streams.at(-1)?.query.getAll('route')).toEqual([])
  await asked()
  const farther = await post('Madina')
  const [along, onWay] = [await post('Circle', 'Adenta'), await post('Osu')]
  await expect.poll(() => offers(route)).toContain(along.ID)
  await expect.poll(() => offers(way)).toContain(onWay.ID)
  expect(await asked()).toEqual([])
  expect(await offers()).not.toContain(farther.ID)
  leaveRoute()
  leave()
})

test('S51: a stream names no route where a zone has the sign that stands between two', async () => {
  const { phone, streams, letPass } = await driverPhone()
  for (const offered of [{ pickupZone: 'Osu|Tema' }, { from: 'Osu', to: 'Tema|5' }]) {
    const leave = phone.engine.watch(offersRef(offered))
    await letPass(1_000)
    expect(streams.at(-1)?.query.toString()).toBe('')
    leave()
    await letPass(1_000)
  }
})

test('S52: a stream that broke off goes on where it was, and no list is asked for', async () => {
  const { streams, letPass, asked, offers, state } = await driverPhone()
  const before = streams.length
  streams.at(-1)?.end()
  const made = await server().delivery(await server().sender())
  await letPass(10_000)
  expect(streams).toHaveLength(before + 1)
  await expect.poll(() => offers()).toContain(made.ID)
  expect(streams.at(-1)?.after).not.toBeNull()
  expect(await asked()).toEqual([])
  expect(await state()).toMatchObject({ open: true })
})

test('S52: where the server no longer knows the position, every list is asked for once', async () => {
  const { phone, streams, letPass, hears, asked, state } = await driverPhone()
  await phone.db.meta.put({
    key: 'stream',
    value: { ...(await state()), position: 'of another process' },
  })
  await hears(async () => {
    streams.at(-1)?.end()
    await letPass(10_000)
  })
  const paths = await asked()
  expect(paths).toContain('/api/driver/available-deliveries')
  expect(paths.filter((path) => path === '/api/driver/my-deliveries')).toHaveLength(1)
})
