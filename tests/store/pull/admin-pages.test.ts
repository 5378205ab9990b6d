import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { referenceOf } from '#domain/deliveries/reference.ts'
import { type PageQuery, pageRef } from '#store/deliveries/save/admin-pages.ts'
import { listing, searchRef, searchResults } from '#store/queries/admin/listings.ts'
import { createNetwork, createPhone, type Network, type Phone } from '../../helpers/device/phone.ts'
import {
  type Person,
  present,
  startTestServer,
  type TestServer,
  usesPostgres,
} from '../../helpers/server/server.ts'

let server: TestServer
let network: Network
let office: Phone
let admin: Person
beforeEach(async () => {
  server = await startTestServer()
  admin = await server.admin()
  network = createNetwork((request) => server.fetch(request))
  office = createPhone(network)
  await office.start()
  await office.session.login(admin.email, admin.password)
})
afterEach(async () => {
  await office.kill()
  await server.close()
})

const ten = (query: PageQuery = {}): PageQuery => ({ limit: '10', ...query })
const hundred = (query: PageQuery): PageQuery => ({ limit: '100', ...query })

async function look(query: PageQuery, page = 0, reachable = true) {
  const name = pageRef('adminDeliveries', query)
  const leave = office.engine.watch(name)
  await office.settle()
  leave()
  return listing(office.db, 'adminDeliveries', query, { page, reachable })
}

const items = (found: Awaited<ReturnType<typeof look>>) =>
  present(found).rows.map(({ view }) => view.itemDescription)

test('pages are pulled one at a time, and never the whole list', async () => {
  for (let each = 0; each < 23; each++)
    await server.guestDelivery({ itemDescription: `Box ${each}`, offer: 10 + each })
  const first = present(await look(ten()))
  expect(first).toMatchObject({ total: 23, from: 'server', skipped: 0 })
  expect(items(first)).toEqual([...Array(10).keys()].map((each) => `Box ${22 - each}`))
  expect(await office.db.deliveries.count()).toBe(10)
  const second = await look(ten({ after: first.next }), 1)
  expect(items(second)).toEqual([...Array(10).keys()].map((each) => `Box ${12 - each}`))
  const dearest = await look(ten({ sort: '-offer', search: 'box' }))
  expect(items(dearest)[0]).toBe('Box 22')
  expect(await office.db.deliveries.count()).toBe(20)
})

test.runIf(usesPostgres)(
  'of a search with more than a thousand hits, the page says that there are more',
  async () => {
    await server.pool().query(
      `insert into deliveries (id, status, item_description, pickup_zone, dropoff_zone, pesewas, recipient_name,
       recipient_phone, delivery_code, is_guest, sender_name, sender_phone, history, created_at, updated_at)
     select gen_random_uuid(), 'Pending', 'Box ' || i, 'Osu', 'Tema', 1000, 'Ama', '0240000000', '12345', true,
       'Kofi', '0241111111', '[]', now(), now() from generate_series(1, 1010) i`,
    )
    const many = await look(hundred({ search: 'box' }))
    expect(many).toMatchObject({ total: 1_000, atLeast: true, counts: undefined })
    expect(items(many)).toHaveLength(100)
    const pending = await look(hundred({ search: 'box', status: 'Pending' }))
    expect(pending).toMatchObject({ total: 0, atLeast: true })
    let last = present(many)
    while (last.next) last = present(await look(hundred({ search: 'box', after: last.next })))
    expect(last).toMatchObject({ atLeast: undefined, counts: undefined, next: undefined })
    expect(items(last)).toHaveLength(10)
    const few = await look(ten({ search: 'box 101' }))
    expect(few).toMatchObject({ total: 2, atLeast: undefined, counts: { Pending: 2 } })
  },
)

test('offline the pages kept are shown, and other questions are answered among kept rows', async () => {
  for (let each = 0; each < 12; each++)
    await server.guestDelivery({ itemDescription: `Box ${each}`, offer: 10 + each })
  const first = present(await look(ten()))
  network.cut()
  const again = present(await look(ten(), 0, false))
  expect(again).toMatchObject({ from: 'server', total: 12, next: undefined })
  expect(items(again)).toEqual(items(first))
  const sorted = present(await look(ten({ sort: 'offer', search: 'BOX' }), 0, false))
  expect(sorted).toMatchObject({ from: 'stored', total: 10 })
  expect(items(sorted)[0]).toBe('Box 2')
  expect(await look(ten({ search: 'nothing' }))).toBeNull()
})

test('R85, R98, R232: filters, search and references find the same rows and counts offline as on the server', async () => {
  const day = 24 * 60 * 60_000
  const zones = ['Osu', 'Tema', 'Madina']
  const made: Awaited<ReturnType<typeof server.guestDelivery>>[] = []
  for (let each = 0; each < 9; each++) {
    const route = { pickupZone: zones[each % 3], dropoffZone: zones[(each + 1 + (each % 2)) % 3] }
    made.push(await server.guestDelivery({ itemDescription: `Box ${each}`, ...route }))
    if (each % 3 === 2) server.clock.advance(day)
  }
  admin = await server.admin()
  for (const { delivery } of made.slice(4, 6))
    await server.ask('changeStatus', {
      token: admin.token,
      id: delivery.ID,
      body: { status: 'Cancelled' },
    })
  await server.repo.transaction(async ({ deliveries }) => {
    const stored = present(await deliveries.lock(present(made[7]).delivery.ID))
    await deliveries.save(stored, { ...stored, payment: { status: 'waiting' } })
  })
  await office.session.login(admin.email, admin.password)
  await look(ten())
  const days = [...new Set(made.map(({ delivery }) => delivery.createdAt.slice(0, 10)))]
  const parts: PageQuery[] = [
    {},
    { status: 'Pending' },
    { status: 'Cancelled' },
    { pickupZone: 'Osu' },
    { dropoffZone: 'Tema' },
    { pickupZone: 'Osu', dropoffZone: 'Tema' },
    { createdFrom: days[1] },
    { createdTo: days[1] },
    { createdFrom: days[1], createdTo: days[1] },
    { createdFrom: days[2], createdTo: days[0] },
    { search: 'box 1' },
    { search: made[4]?.phone.replace(/^0/, '+233 ') },
    { search: referenceOf(present(made[3]).delivery.ID).toLowerCase() },
    { sort: 'createdAt' },
    { sort: 'offer' },
    { status: 'Unpaid' },
  ]
  // Each part with one or two others.
  const queries = parts
    .flatMap((one) => parts.map((other) => ten({ ...one, ...other })))
    .filter((_, at) => at % 15 === 0)
  const online = []
  for (const query of queries) online.push(present(await look(query)))
  expect(online.some(({ rows }) => rows.length === 1)).toBe(true)
  network.cut()
  await office.db.pages.clear()
  for (const [at, query] of queries.entries()) {
    const found = present(await look(query, 0, false))
    const { rows, total, counts } = present(online[at])
    const about = JSON.stringify(query)
    expect(found.from).toBe('stored')
    expect(
      found.rows.map(({ ID }) => ID),
      about,
    ).toEqual(rows.map(({ ID }) => ID))
    expect([found.total, found.counts], about).toEqual([total, counts])
  }
})

test('R186: one search finds people, deliveries, disputes and zones, offline among the rows that are kept', async () => {
  const ama = await server.sender({ name: 'Ama Osumanu' })
  const made = await server.delivery(ama)
  const dispute = await server.report(ama, made.ID)
  const search = async (typed: string, reachable = true) => {
    const leave = office.engine.watch(searchRef(typed))
    await office.settle()
    leave()
    const found = await searchResults(office.db, typed, { reachable })
    return (
      found && {
        from: found.from,
        people: found.people.map(({ name }) => name),
        deliveries: found.deliveries.map(({ ID }) => ID),
        disputes: found.disputes.map(({ ID }) => ID),
        zones: found.zones.map(({ Name }) => Name),
      }
    )
  }
  const all = {
    people: ['Ama Osumanu'],
    deliveries: [made.ID],
    disputes: [dispute.ID],
    zones: ['Osu'],
  }
  expect(await search('osu')).toEqual({ from: 'server', ...all })
  network.cut()
  expect(await search('OSU', false)).toEqual({ from: 'stored', ...all, disputes: [] })
  const phone = `233 ${ama.phone.slice(1)}`
  expect(await search(phone, false)).toMatchObject({ people: all.people, deliveries: [made.ID] })
  expect(await search('another')).toBeNull()
})

test('a decision shows at once, and its driver leaves the list of those who wait', async () => {
  const yaw = await server.verify(await server.signUp('driver', { name: 'Yaw Waiting' }))
  const query = ten({ status: 'pending' })
  const leave = office.engine.watch(pageRef('adminDrivers', query))
  await office.settle()
  const waiting = async () =>
    present(await listing(office.db, 'adminDrivers', query, { page: 0, reachable: true })).rows
  expect(await waiting()).toMatchObject([{ ID: yaw.user.ID, deciding: undefined }])
  network.cut()
  await office.commands.reviewDriver(yaw.user.ID, 'approved')
  expect(await waiting()).toMatchObject([{ ID: yaw.user.ID, deciding: 'approved' }])
  network.restore()
  await office.settle()
  expect(await waiting()).toEqual([])
  leave()
})

test('old pages make room, with the rows nobody else needs', async () => {
  await server.guestDelivery({ itemDescription: 'Box' })
  await look(ten())
  const account = admin.user.ID
  const old = [...Array(160).keys()].map((each) => ({
    account,
    list: 'adminUsers',
    query: `search=${each}`,
    ids: [`u${each}`],
    total: 1,
    at: each,
  }))
  await office.db.pages.bulkPut(old)
  await office.db.users.bulkPut(
    old.map(({ ids }) => ({ ...admin.user, account, ID: present(ids[0]) })),
  )
  await look(ten({ search: 'box' }))
  expect(await office.db.pages.count()).toBe(150)
  expect(await office.db.users.get([account, 'u0'])).toBeUndefined()
  expect(await office.db.users.get([account, 'u159'])).toBeDefined()
  expect(await office.db.deliveries.count()).toBe(1)
})
