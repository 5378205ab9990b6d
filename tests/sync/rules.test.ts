import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as lists from '#store/list-queries.ts'
import * as queries from '#store/queries.ts'
import { filledDraft } from '../helpers/device.ts'
import {
  createClock,
  createLocks,
  createNetwork,
  createPhone,
  type Network,
  type Weather,
} from '../helpers/phone.ts'
import { startTown, type Town } from './town.ts'

let town: Town
let network: Network
beforeAll(async () => {
  town = await startTown()
})
afterAll(() => town.close())
beforeEach(() => {
  network = createNetwork(town.fetch)
})

const guestPhone = async () => {
  const phone = createPhone(network)
  await phone.start()
  return phone
}

const onServer = async (id: string) => (await town.adminDeliveries()).filter(({ ID }) => ID === id)

/** Befalls the first try of every request that says something; then the road is fine. */
const once = (weather: Weather) => {
  const met = new Set<string>()
  network.meet((_, { method, path, key }) => {
    const name = `${method} ${path} ${key}`
    if (method === 'GET' || met.has(name)) return 'fine'
    met.add(name)
    return weather instanceof Response ? weather.clone() : weather
  })
}

const json = (status: number, body: object, headers = {}) =>
  new Response(JSON.stringify(body), { status, headers })

describe('a guest’s request, made without a network', () => {
  test.each<[string, Weather]>([
    ['nothing befalls it', 'fine'],
    ['each request is lost once', 'request lost'],
    ['each answer is lost once', 'answer lost'],
    ['each request arrives twice', 'doubled'],
    ['each answer is torn once', 'answer torn'],
    ['a portal answers first', new Response('<html>Welcome to Hotel Wi-Fi</html>')],
    ['the server fails once', json(503, { error: 'busy', reason: 'unavailable' })],
  ])('S1, S5: becomes one delivery when %s', async (_, weather) => {
    const phone = await guestPhone()
    network.cut()
    const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'guest')
    await phone.engine.wake()
    expect((await queries.room(phone.db, id))?.known).toBe(false)
    network.heal()
    once(weather)
    await phone.settle()

    expect(await onServer(id)).toHaveLength(1)
    const row = await queries.room(phone.db, id)
    expect(row).toMatchObject({ known: true, marks: [] })
    expect(row?.view).toEqual(await town.asGuestOf(phone.db, id))
    expect(row?.view.deliveryCode).toMatch(/^\d{5}$/)
    expect(await queries.outboxSummary(phone.db)).toMatchObject({ unsent: 0, refused: 0 })
    await phone.kill()
  })

  test('S2: survives the tab being killed before anything left', async () => {
    network.cut()
    const first = await guestPhone()
    const id = await first.commands.requestDelivery(await filledDraft(first.commands), 'guest')
    await first.kill()
    network.heal()
    const again = createPhone(network, { dbName: first.db.name })
    await again.start()
    await again.settle()
    expect(await onServer(id)).toHaveLength(1)
    await again.kill()
  })

  test('S1, S2: survives a kill while its answer is on the way', async () => {
    const first = await guestPhone()
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const slow = createNetwork(async (request) => {
      const response = await town.fetch(request)
      if (request.method === 'POST') await held
      return response
    })
    await first.kill()
    const second = createPhone(slow, { dbName: first.db.name })
    await second.db.open()
    const id = await second.commands.requestDelivery(await filledDraft(second.commands), 'guest')
    void second.start().catch(() => {})
    await expect.poll(() => slow.passed.filter(({ method }) => method === 'POST').length).toBe(1)
    second.db.close()
    const third = createPhone(network, { dbName: first.db.name })
    await third.start()
    await third.settle()
    letGo()
    expect(await onServer(id)).toHaveLength(1)
    await third.kill()
  })

  test('S4, S7: never leaves when its photo is refused, and both say why', async () => {
    const phone = await guestPhone()
    network.meet((_, { path }) =>
      path === '/api/images/upload' ? json(415, { error: { message: 'Not a photo' } }) : 'fine',
    )
    const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'guest')
    await phone.settle()
    expect(network.passed.some(({ path }) => path === '/api/guest/deliveries')).toBe(false)
    const [create, upload] = await queries.outbox(phone.db)
    expect(upload).toMatchObject({ state: 'refused', error: { message: 'Not a photo' } })
    expect(create).toMatchObject({ state: 'refused', error: { because: upload?.id } })
    expect((await queries.room(phone.db, id))?.marks).toMatchObject([{ state: 'refused' }])

    network.heal()
    await phone.commands.retry(create?.id ?? '')
    await phone.settle()
    const row = await queries.room(phone.db, id)
    expect(row).toMatchObject({ known: true, marks: [] })
    expect(await onServer(row?.ID ?? '')).toHaveLength(1)
    expect(await queries.guestRecord(phone.db)).toMatchObject({ id: row?.ID })
    await phone.kill()
  })

  test('S11: keeps the photo’s bytes until the provider has answered', async () => {
    const phone = await guestPhone()
    network.meet((_, { path }) => (path === '/api/images/upload' ? 'request lost' : 'fine'))
    const draft = await filledDraft(phone.commands)
    await phone.commands.requestDelivery(draft, 'guest')
    await phone.settle()
    const kept = await queries.photo(phone.db, draft.photo ?? '')
    expect(kept?.bytes.byteLength).toBe(10)
    expect(kept?.url).toBeUndefined()
    await phone.kill()
  })

  test.each([
    ['its photo’s answer is lost', 'answer lost'],
    ['its photo arrives', 'fine'],
  ] as const)(
    'S7: taken back while the photo is on its way, stays taken back when %s',
    async (_, weather) => {
      let letGo = () => {}
      const held = new Promise<void>((resolve) => {
        letGo = resolve
      })
      const slow = createNetwork(async (request) => {
        const response = await town.fetch(request)
        if (request.method === 'POST') await held
        return response
      })
      slow.meet((request) => (request.method === 'POST' ? weather : 'fine'))
      const phone = createPhone(slow)
      await phone.start()
      const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'guest')
      await expect.poll(() => slow.passed.filter(({ method }) => method === 'POST').length).toBe(1)
      await phone.commands.discard(id)
      letGo()
      await phone.settle()
      expect((await queries.outbox(phone.db)).map(({ state }) => state)).toEqual([
        'cancelled',
        'cancelled',
      ])
      expect(await onServer(id)).toEqual([])
      await phone.kill()
    },
  )

  test('S17: leaves once, with two tabs open', async () => {
    const locks = createLocks()
    const one = createPhone(network, { locks })
    const two = createPhone(network, { locks, dbName: one.db.name })
    await one.start()
    await two.start()
    const id = await one.commands.requestDelivery(await filledDraft(one.commands), 'guest')
    await Promise.all([one.settle(), two.settle()])
    await one.settle()
    const sent = network.passed.filter(({ path }) => path === '/api/guest/deliveries')
    expect(sent.map(({ key }) => key)).toEqual([id])
    await one.kill()
    await two.kill()
  })

  test('S19: follows the ID a backend of another make hands out', async () => {
    const foreign = new Map<string, string>()
    const renaming = createNetwork(async (request) => {
      const known = (text: string) =>
        [...foreign].reduce((some, [ours, theirs]) => some.replace(theirs, ours), text)
      const url = known(request.url)
      const init = request.method === 'GET' ? {} : { body: known(await request.text()) }
      const { method, headers } = request
      const response = await town.fetch(new Request(url, { method, headers, ...init }))
      let text = await response.text()
      const created = request.method === 'POST' && url.endsWith('/guest/deliveries')
      if (created) foreign.set(JSON.parse(text).delivery.ID, `srv-${foreign.size + 1}`)
      for (const [ours, theirs] of foreign) text = text.replaceAll(ours, theirs)
      return new Response(text, { status: response.status, headers: response.headers })
    })
    const phone = createPhone(renaming)
    await phone.start()
    renaming.cut()
    await phone.db.meta.put({ key: 'config', value: town.config })
    const draft = await filledDraft(phone.commands)
    await phone.db.photos.update(draft.photo ?? '', { url: town.hostedPhoto })
    const id = await phone.commands.requestDelivery(draft, 'guest')
    await phone.commands.reportIssue(id, 'The box is heavier than I said.')
    renaming.heal()
    await phone.settle()
    expect(await queries.room(phone.db, id)).toMatchObject({ ID: 'srv-1', known: true })
    expect(await queries.guestRecord(phone.db)).toMatchObject({ id: 'srv-1' })
    expect((await queries.outbox(phone.db)).map(({ state }) => state)).toEqual(['done', 'done'])
    await phone.kill()
  })
})

describe('a driver on the road', () => {
  test('S3, S5, S6: accepts, picks up and delivers in a dead zone, and all of it arrives in order', async () => {
    const sender = await town.sender()
    const delivery = await town.delivery(sender)
    const phone = await town.driverPhone(network)
    await phone.settle()
    network.cut()
    await phone.commands.acceptDelivery(delivery.ID)
    await phone.commands.pickUpDelivery(delivery.ID)
    await phone.commands.completeDelivery(delivery.ID, delivery.deliveryCode ?? '')
    expect((await queries.room(phone.db, delivery.ID))?.server?.status).toBe('Pending')
    network.heal()
    await phone.settle()
    const row = await queries.room(phone.db, delivery.ID)
    expect(row).toMatchObject({ view: { status: 'Delivered' }, marks: [] })
    expect(row?.view.deliveryCode).toBeUndefined()
    const said = network.passed.filter(
      ({ path, method }) => method !== 'GET' && path.includes(delivery.ID),
    )
    expect(said.map(({ path }) => path.split('/').at(-1))).toEqual(['accept', 'status', 'complete'])
    await phone.kill()
  })

  test('S15: hears that another driver was first, and everything that hung on it falls back', async () => {
    const delivery = await town.delivery(await town.sender())
    const winner = await town.driverPhone(network)
    const loserNetwork = createNetwork(town.fetch)
    const loser = await town.driverPhone(loserNetwork)
    await loser.settle()
    loserNetwork.cut()
    await loser.commands.acceptDelivery(delivery.ID)
    await loser.commands.pickUpDelivery(delivery.ID)
    await winner.settle()
    await winner.commands.acceptDelivery(delivery.ID)
    await winner.settle()
    loserNetwork.heal()
    await loser.settle()
    const [pickUp, accept] = await queries.outbox(loser.db)
    expect(accept).toMatchObject({ state: 'refused', error: { reason: 'taken' } })
    expect(pickUp).toMatchObject({ state: 'refused', error: { because: accept?.id } })
    expect(
      loserNetwork.passed.some(({ method, path }) => method !== 'GET' && path.endsWith('/status')),
    ).toBe(false)
    expect(await queries.activeJob(loser.db)).toBeNull()
    await loser.commands.discard(accept?.id ?? '')
    expect(await lists.available(loser.db)).not.toContainEqual(
      expect.objectContaining({ ID: delivery.ID }),
    )
    expect((await lists.jobs(winner.db)).map(({ ID }) => ID)).toEqual([delivery.ID])
    await winner.kill()
    await loser.kill()
  })

  test('a wrong code is refused and counted, and the right one after it is taken', async () => {
    const delivery = await town.delivery(await town.sender())
    const phone = await town.driverPhone(network)
    await phone.settle()
    await phone.commands.acceptDelivery(delivery.ID)
    await phone.commands.pickUpDelivery(delivery.ID)
    const wrong = delivery.deliveryCode === '00000' ? '00001' : '00000'
    const entry = await phone.commands.completeDelivery(delivery.ID, wrong)
    await phone.settle()
    expect((await queries.outbox(phone.db)).find(({ id }) => id === entry)).toMatchObject({
      state: 'refused',
      error: { reason: 'wrong-code' },
    })
    expect((await queries.room(phone.db, delivery.ID))?.view.status).toBe('Picked Up')
    await phone.commands.completeDelivery(delivery.ID, delivery.deliveryCode ?? '')
    await phone.settle()
    expect(await queries.room(phone.db, delivery.ID)).toMatchObject({
      view: { status: 'Delivered' },
      marks: [],
    })
    expect((await queries.outboxSummary(phone.db)).refused).toBe(0)
    await phone.kill()
  })
})

describe('S10: what a driver is told of the jobs there are', () => {
  test('is complete, however the list is cut into pages and whatever changes meanwhile', async () => {
    const inTwos = createNetwork((request) => {
      const url = new URL(request.url)
      if (url.pathname.endsWith('/available-deliveries')) url.searchParams.set('limit', '2')
      return town.fetch(new Request(url, request))
    })
    const phone = await town.driverPhone(inTwos)
    const pending = async () =>
      (await town.adminDeliveries())
        .filter(({ status }) => status === 'Pending')
        .map(({ ID }) => ID)
    const held = async () => (await lists.available(phone.db)).map(({ ID }) => ID)
    for (let each = 0; each < 5; each++) await town.guestDelivery()
    await phone.settle()
    expect((await held()).sort()).toEqual((await pending()).sort())
    const made = []
    for (let each = 0; each < 5; each++) made.push(await town.guestDelivery())
    for (const { delivery } of made.slice(0, 3)) {
      const id = delivery.ID
      await town.ask('acceptDelivery', { id, token: (await town.driver()).token })
    }
    await phone.settle()
    expect((await held()).sort()).toEqual((await pending()).sort())

    // Everything anew, as when a cursor has grown too old: what is in no page has gone.
    await phone.db.pulls.clear()
    for (const { delivery } of made.slice(3))
      await town.ask('acceptDelivery', { id: delivery.ID, token: (await town.driver()).token })
    await phone.settle()
    expect((await held()).sort()).toEqual((await pending()).sort())
    await phone.kill()
  })
})

describe('when the server asks for patience', () => {
  test('S12, S13: Retry-After is obeyed, under the same key, also when a new network appears', async () => {
    const clock = createClock()
    const phone = createPhone(network, { clock })
    await phone.start()
    const keys: (string | null)[] = []
    network.meet((_, { path, key }) => {
      if (path !== '/api/guest/deliveries') return 'fine'
      const patience = json(429, { error: 'x', reason: 'too-many' }, { 'retry-after': '120' })
      return keys.push(key) === 1 ? patience : 'fine'
    })
    const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'guest')
    for (let round = 0; round < 3; round++) await phone.engine.wake()
    clock.pass(119_000)
    await phone.engine.wake()
    expect(keys).toEqual([id])
    const waiting = (await queries.outbox(phone.db)).find((entry) => entry.id === id)
    expect(waiting).toMatchObject({ state: 'retrying', failures: 0 })
    clock.pass(1_000)
    await phone.settle()
    expect(keys).toEqual([id, id])
    expect(await onServer(id)).toHaveLength(1)
    await phone.kill()
  })

  test('S16: eight failures of its own park an entry, and the other lanes go on', async () => {
    const phone = await guestPhone()
    const poison = await phone.commands.requestDelivery(
      await filledDraft(phone.commands, { itemDescription: 'Poison' }),
      'guest',
    )
    network.meet((_, { key }) =>
      key === poison ? json(500, { error: 'x', reason: 'internal' }) : 'fine',
    )
    for (let round = 0; round < 12; round++) await phone.engine.wake()
    const other = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'guest')
    for (let round = 0; round < 4; round++) await phone.engine.wake()
    const entry = async (id: string) =>
      (await queries.outbox(phone.db)).find((each) => each.id === id)
    expect(await entry(poison)).toMatchObject({ state: 'parked', failures: 8 })
    expect(await entry(other)).toMatchObject({ state: 'done' })
    network.heal()
    await phone.commands.retry(poison)
    await phone.settle()
    expect(await entry(poison)).toMatchObject({ state: 'done' })
    await phone.kill()
  })

  test('S9: what failed many times without an answer moves at once when the network is back', async () => {
    const phone = await guestPhone()
    network.cut()
    const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'guest')
    for (let round = 0; round < 15; round++) await phone.engine.wake()
    network.heal()
    await phone.settle()
    expect(await onServer(id)).toHaveLength(1)
    await phone.kill()
  })
})

describe('S8, S14: whose the entries are', () => {
  test('a dead token pauses the queue without counting a try, and signing in sends it', async () => {
    const sender = await town.sender()
    const phone = createPhone(network)
    await phone.start()
    await phone.session.login(sender.email, sender.password)
    await phone.settle()
    network.cut()
    const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'account')
    await town.endSessions(phone)
    network.heal()
    await phone.settle()
    expect(await queries.currentSession(phone.db)).toMatchObject({ expired: true })
    const entry = (await queries.outbox(phone.db)).find((each) => each.id === id)
    expect(entry).toMatchObject({ state: 'waiting', attempts: 0 })
    expect(phone.storage.get('token')).toBeUndefined()
    await phone.session.login(sender.email, sender.password)
    await phone.settle()
    expect(await onServer(id)).toHaveLength(1)
    await phone.kill()
  })

  test('nothing of the first person is sent, or seen, while another is logged in', async () => {
    const first = await town.sender()
    const second = await town.sender()
    const phone = createPhone(network)
    await phone.start()
    await phone.session.login(first.email, first.password)
    await phone.settle()
    network.meet((request) => (request.method === 'GET' ? 'fine' : 'request lost'))
    const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'account')
    await phone.session.logout('keep')
    network.heal()
    await phone.session.login(second.email, second.password)
    await phone.settle()
    expect(await onServer(id)).toHaveLength(0)
    expect(await lists.sent(phone.db)).toEqual([])
    await phone.session.logout('keep')
    await phone.session.login(first.email, first.password)
    await phone.settle()
    expect((await onServer(id))[0]).toMatchObject({ sender: { id: first.user.ID } })
    await phone.kill()
  })

  test('a lost network at start keeps the session; a token the server refuses ends it', async () => {
    const sender = await town.sender()
    const phone = createPhone(network)
    await phone.start()
    await phone.session.login(sender.email, sender.password)
    network.cut()
    await phone.settle()
    expect(await queries.currentSession(phone.db)).toMatchObject({ account: sender.user.ID })
    network.heal()
    await town.endSessions(phone)
    await phone.settle()
    expect(await queries.currentSession(phone.db)).toBeNull()
    await phone.kill()
  })
})
