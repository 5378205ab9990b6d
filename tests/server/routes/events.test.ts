import { afterEach, expect, test } from 'vitest'
import type { Repo, Stores } from '#server/ports/repo.ts'
import { readEvents } from '../../helpers/server/event-reader.ts'
import { untilHeard } from '../../helpers/server/heard-events.ts'
import { type Person, present, startTestServer, usesPostgres } from '../../helpers/server/server.ts'
import { serverFixture } from '../server-fixture.ts'

const one = await serverFixture()
const two = await serverFixture({}, one.database)
const { origin } = await two.listen()

const open: Listening[] = []
afterEach(() => {
  for (const each of open.splice(0)) each.stop()
})

type News = { about: string; id?: string }
type Listening = { stop(): void; text(): string; ended(): boolean; news(): News[] }

/** Opens the event stream of the second server over a real connection and records its events. */
async function listen({ token }: Pick<Person, 'token'>): Promise<Listening> {
  const abort = new AbortController()
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${origin}/api/events`, { headers, signal: abort.signal })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  let text = ''
  let ended = false
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const chunk of present(response.body))
      text += decoder.decode(chunk, { stream: true })
  }
  void read()
    .catch(() => undefined)
    .finally(() => {
      ended = true
    })
  const listening: Listening = {
    stop: () => abort.abort(),
    text: () => text,
    ended: () => ended,
    news: () =>
      [...text.matchAll(/event: news\ndata: (.*)\n/g)].map((match) => JSON.parse(match[1] ?? '')),
  }
  open.push(listening)
  await expect.poll(() => text).toContain('event: hello')
  return listening
}

test('R75: what one server changes is published by another, to those who may see it', async () => {
  const [ama, stranger] = [await one.sender(), await one.sender()]
  const [yaw, admin] = [await one.driver(), await one.admin()]
  const waiting = await one.verify(await one.signUp('driver'))
  const streams = {
    ama: await listen(ama),
    stranger: await listen(stranger),
    yaw: await listen(yaw),
    admin: await listen(admin),
    waiting: await listen(waiting),
  }
  const made = await one.delivery(ama)
  const about = { about: 'delivery', id: made.ID }
  for (const who of ['ama', 'admin'] as const)
    await expect.poll(() => streams[who].news()).toContainEqual(about)
  await expect.poll(() => streams.yaw.news()).toContainEqual(expect.objectContaining(about))
  await one.drive(made, yaw, 'Delivered')
  await expect.poll(() => streams.ama.news().length).toBeGreaterThanOrEqual(4)
  await one.ask('addZone', { token: admin.token, body: { name: 'News' } })
  for (const each of Object.values(streams))
    await expect.poll(() => each.news()).toContainEqual({ about: 'zones' })
  expect(streams.stranger.news()).not.toContainEqual(about)
  expect(streams.waiting.news()).not.toContainEqual(about)
  // No code, no phone number, no name.
  const all = Object.values(streams).map((each) => each.text())
  for (const secret of [made.deliveryCode, ama.phone, ama.user.name, made.recipientPhone])
    expect(all.join()).not.toContain(present(secret))
})

test('R12: a stream ends with its session', async () => {
  const ama = await one.sender()
  const stream = await listen(ama)
  await one.ask('logout', { token: ama.token })
  await expect.poll(() => stream.ended()).toBe(true)
})

/** A server process, and what happens there before the roads are read. */
async function readingRoads(before: (times: number) => Promise<unknown>) {
  const three = await startTestServer(one.database)
  const usual = three.repo.read
  let times = 0
  const read = (work: (stores: Stores) => Promise<unknown>) =>
    usual((stores) => {
      const list = async () => {
        await before(++times)
        return stores.zones.list()
      }
      return work({ ...stores, zones: { ...stores.zones, list } })
    })
  three.repo.read = read as Repo['read']
  const open = async (token: string, query: string) =>
    readEvents(await three.raw('GET', `/events?${query.replaceAll('|', '%7C')}`, { token }))
  return { three, open }
}

test('R96: a driver who is rejected while the roads of their way are read hears of no job', async () => {
  const yaw = await one.driver()
  const { token } = await one.admin()
  const { three, open } = await readingRoads(async (times) => {
    if (times > 1) return
    await one.ask('reviewDriver', { token, id: yaw.user.ID, body: { status: 'rejected' } })
    await untilHeard(one.repo, three.repo)
  })
  const stream = await open(yaw.token, 'way=Osu|Tema')
  await one.guestDelivery()
  await untilHeard(one.repo, three.repo)
  await one.ask('addItem', { token, body: { name: 'Last' } })
  await expect.poll(() => stream.news()).toContainEqual({ about: 'items' })
  expect(stream.news().filter(({ job }) => job)).toEqual([])
  stream.stop()
  await three.close()
})

test('R95: a way follows changed roads, and misses no job while they are read', async () => {
  const [{ token }, yaw] = [await one.admin(), await one.driver()]
  let release = () => {}
  const { three, open } = await readingRoads(async (times) => {
    if (times === 2)
      await new Promise<void>((done) => {
        release = done
      })
  })
  const stream = await open(yaw.token, 'way=Osu|Labone|0')
  const heard = async (pickupZone: string, dropoffZone: string) => {
    const { delivery } = await one.guestDelivery({ pickupZone, dropoffZone })
    await untilHeard(one.repo, three.repo)
    await new Promise((read) => setImmediate(read))
    return stream.news().some(({ id }) => id === delivery.ID)
  }
  expect(await heard('Osu', 'Tema')).toBe(false)
  const zones = present((await one.ask('zones')).value).zones
  const id = present(zones.find(({ Name }) => Name === 'Tema')).ID
  // Osu → Tema → Labone is as short as any other way.
  const roads = [
    { to: 'Osu', km: 0.1 },
    { to: 'Labone', km: 0.1 },
  ]
  await one.ask('changeZone', { token, id, body: { roads } })
  await untilHeard(one.repo, three.repo)
  expect(await heard('Madina', 'Adenta')).toBe(true)
  release()
  await expect.poll(() => heard('Madina', 'Adenta')).toBe(false)
  expect(await heard('Osu', 'Tema')).toBe(true)
  stream.stop()
  await three.close()
})

test('R131: a guest’s stream ends within a second when a recovery replaces its token, and no other does', async () => {
  const [guest, other] = [await one.guestDelivery(), await one.guestDelivery()]
  const [stream, others] = [await listen(guest), await listen(other)]
  await one.ask('recoverGuest', { body: { guestPhone: guest.phone } })
  const body = { guestPhone: guest.phone, code: one.codeSentTo(guest.phone) }
  await one.ask('confirmGuestRecovery', { body })
  // Well before the heartbeat, which would end it too.
  await expect.poll(() => stream.ended(), { timeout: 10_000 }).toBe(true)
  expect(others.ended()).toBe(false)
})

test('R131: HEAD of the stream holds nothing, and ends none of ten open ones', async () => {
  const ama = await one.sender()
  const streams = []
  for (let at = 0; at < 10; at++) streams.push(await listen(ama))
  const headers = { authorization: `Bearer ${ama.token}` }
  const { status, body } = await fetch(`${origin}/api/events`, { method: 'HEAD', headers })
  expect([status, body]).toEqual([200, null])
  await one.delivery(ama)
  for (const stream of streams) await expect.poll(() => stream.news().length).toBeGreaterThan(0)
  expect(streams.filter((stream) => stream.ended())).toEqual([])
})

test.runIf(usesPostgres)(
  'R75: when events may have been lost every stream gets a reset event',
  async () => {
    const stream = await listen(await one.sender())
    await one
      .pool()
      .query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'soma events' and datname = current_database()",
      )
    await expect.poll(() => stream.text()).toContain('event: reset')
    await one.ask('addItem', { token: (await one.admin()).token, body: { name: 'After' } })
    await expect.poll(() => stream.news()).toContainEqual({ about: 'items' })
  },
)

test('a server that stops ends its streams', async () => {
  const three = await startTestServer(one.database)
  const { origin: third } = await three.listen()
  const { token } = await one.sender()
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${third}/api/events`, { headers })
  const reading = response.text()
  await three.close()
  expect(await reading).toContain('event: hello')
})
