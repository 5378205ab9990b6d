import { expect, test } from 'vitest'
import { defaultZones } from '#domain/choices.ts'
import { shownDetour } from '#domain/zones/on-the-way.ts'
import { distancesOf } from '#domain/zones/roads.ts'
import { routeFinder } from '#server/rules/ways.ts'
import { jobMatcher, offersRef } from '#store/deliveries/offered-route.ts'
import * as lists from '#store/queries/lists.ts'
import { zones } from '#store/queries/queries.ts'
import { wayGuide, wayGuideRef } from '#store/queries/way-guide.ts'
import type { Phone } from '../../helpers/device/phone.ts'
import { present } from '../../helpers/present.ts'
import { serverOfFile } from '../../sync/server-fixture.ts'
import { created, offersOnServer } from './offers.ts'

const { server, network, driverPhone } = serverOfFile()

const commute = { from: 'Adenta', to: 'Accra Central' }

const offer = async (pickupZone: string, dropoffZone: string, offered = 20) => {
  const sender = await server().sender()
  return (await server().delivery(sender, { pickupZone, dropoffZone, offer: offered })).ID
}
const held = async ({ db }: Phone, order: lists.OfferOrder = 'pay') =>
  (await lists.availableInOrder(db, commute, order)).rows.map(({ ID }) => ID)

/** A driver's phone that looks at the commute. */
async function phoneOnWay() {
  const phone = await driverPhone()
  phone.engine.watch({ kind: 'zones' })
  phone.engine.watch(offersRef(commute))
  await phone.settle()
  return phone
}

test('S85: a phone holds the jobs on its way, matches and sorts them without a network, and hears of new ones', async () => {
  const [near, direct, off] = [
    await offer('Madina', 'Osu', 60),
    await offer('Adenta', 'Accra Central', 20),
    await offer('Tema', 'Spintex', 90),
  ]
  const phone = await phoneOnWay()
  expect((await lists.available(phone.db, {}, 100)).map(({ ID }) => ID)).not.toContain(off)
  network().setConditions(() => 'request lost')
  // ₵60 for 2.5 km is better than ₵20 for none, of which a kilometre counts.
  expect(await held(phone)).toEqual([near, direct])
  expect(await held(phone, 'newest')).toEqual([direct, near])
  expect(await lists.availableCount(phone.db, commute)).toBe(2)
  network().setConditions(() => 'fine')
  const later = await offer('Legon Campus', 'Circle', 99)
  await phone.settle()
  expect(await held(phone)).toEqual([later, near, direct])
})

test('S85, S36: what is no longer on offer leaves, and a job beyond the end of the page does not', async () => {
  const phone = await phoneOnWay()
  const jobs = (await offersOnServer(server(), 5)).map((job, at) => ({
    ...job,
    ...[
      { pickupZone: 'Adenta', dropoffZone: 'Accra Central', detourKm: 0 },
      { pickupZone: 'Adenta', dropoffZone: 'Accra Central', detourKm: 0 },
      { pickupZone: 'Madina', dropoffZone: 'Circle', detourKm: 2 },
      { pickupZone: 'Madina', dropoffZone: 'Osu', detourKm: 2.5 },
      { pickupZone: 'Madina', dropoffZone: 'Osu', detourKm: 2.5 },
    ][at],
  }))
  let page = { deliveries: jobs, cursor: 'c1', next: undefined as string | undefined }
  network().setConditions(({ url }) =>
    url.includes('/available-deliveries') ? Response.json(page) : 'fine',
  )
  await phone.settle()
  expect(await held(phone, 'newest')).toHaveLength(5)
  expect((await phone.db.deliveries.toArray()).some(({ view }) => 'detourKm' in view)).toBe(false)
  // The first of them is gone, and the page now ends with the third: the rest comes on scrolling.
  page = { deliveries: jobs.slice(1, 3), cursor: 'c2', next: 'p2' }
  await phone.settle()
  expect(await held(phone, 'newest')).toEqual([jobs[2]?.ID, jobs[1]?.ID])
  const pulled = await lists.pulled(phone.db, 'available?from=Adenta&to=Accra+Central')
  expect(pulled?.older).toEqual({ after: 'p2', from: '2 km' })
  page = { deliveries: jobs.slice(3), cursor: 'c2', next: undefined }
  expect(await phone.pullOlder(offersRef(commute))).toBe('done')
  expect(await held(phone, 'newest')).toHaveLength(4)
})

test('S85: of a server that knows no ways only jobs on the way are shown, and its pages go by age', async () => {
  const phone = await phoneOnWay()
  const all = (await offersOnServer(server(), 30)).map((job, at) => ({
    ...job,
    ...(at % 3 === 0 ? { pickupZone: 'Madina', dropoffZone: 'Circle' } : {}),
  }))
  network().setConditions(({ url }) => {
    if (!url.includes('/available-deliveries')) return 'fine'
    return Response.json({ deliveries: all.slice(10).reverse(), cursor: 'old', next: 'more' })
  })
  await phone.settle()
  const onWay = all.slice(10).filter(({ pickupZone }) => pickupZone === 'Madina')
  const circle = onWay.filter(({ dropoffZone }) => dropoffZone === 'Circle')
  expect((await held(phone, 'newest')).sort()).toEqual(circle.map(({ ID }) => ID).sort())
  const pulled = await lists.pulled(phone.db, 'available?from=Adenta&to=Accra+Central')
  expect(pulled?.older).toEqual({ after: 'more', from: created(10) })
})

test('R168: a way that has left the twenty that a phone keeps is asked for in full again', async () => {
  const phone = await driverPhone()
  const ask = async (to: string) => {
    const way = { from: 'Osu', to }
    const leave = phone.engine.watch(present(wayGuideRef(way)))
    await phone.engine.wake()
    leave()
    return wayGuide(phone.db, way)
  }
  network().setConditions(({ url, headers }) => {
    if (!url.includes('/price-guide')) return 'fine'
    if (headers.has('if-none-match')) return new Response(null, { status: 304 })
    const guide = { median: 30, low: 25, high: 35, count: 5 }
    return Response.json({ guide }, { headers: { etag: '"one"' } })
  })
  for (let n = 0; n < 21; n++) expect((await ask(`Zone ${n}`)).guide).toBeDefined()
  expect(await wayGuide(phone.db, { from: 'Osu', to: 'Zone 0' })).toEqual({})
  expect((await ask('Zone 20')).guide).toBeDefined()
  expect((await ask('Zone 0')).guide).toBeDefined()
})

test('R164: phone and server agree on 2,000 random pairs of a way and a job', async () => {
  const phone = await driverPhone()
  phone.engine.watch({ kind: 'zones' })
  await phone.settle()
  const distance = distancesOf(await zones(phone.db))
  const stored = await server().repo.read((stores) => stores.zones.list())
  const find = routeFinder()
  let seed = 1
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  const zone = () => defaultZones[random(defaultZones.length)] ?? ''
  const faults: object[] = []
  let found = 0
  for (let count = 0; count < 2_000; count++) {
    const [from, to, pickupZone, dropoffZone] = [zone(), zone(), zone(), zone()]
    if (from === to || pickupZone === dropoffZone) continue
    const way = { from, to, detour: random(3) === 0 ? random(11) : undefined }
    const here = jobMatcher(way, distance)({ pickupZone, dropoffZone })
    const there = find(stored, way).find(
      ({ pickup, dropoff }) => pickup === pickupZone && dropoff === dropoffZone,
    )?.km
    if (here !== undefined) found++
    const isSame = here === there || (here && there && shownDetour(here) === shownDetour(there))
    if (!isSame) faults.push({ way, pickupZone, dropoffZone, here, there })
  }
  expect(faults).toEqual([])
  expect(found).toBeGreaterThan(100)
})

// The last one, because it changes the roads.
test('S85, S49: new roads come before the list that they change, and no job on offer leaves for old ones', async () => {
  const phone = await phoneOnWay()
  const direct = await offer('Adenta', 'Accra Central')
  const [joins, leaves] = [await offer('Tema', 'Accra Central'), await offer('Madina', 'Osu')]
  const leave = phone.engine.watch(offersRef({}))
  await phone.settle()
  leave()
  await phone.settle()
  const onWay = async () => (await held(phone)).filter((id) => [direct, joins, leaves].includes(id))
  expect((await onWay()).sort()).toEqual([direct, leaves].sort())
  const { token } = server().admin
  const all = await zones(phone.db)
  const change = (name: string, roads: { to: string; km: number }[]) =>
    server().ask('changeZone', {
      token,
      id: present(all.find(({ Name }) => Name === name)).ID,
      body: { roads },
    })
  await change('Tema', [
    { to: 'Adenta', km: 0.5 },
    { to: 'Accra Central', km: 20 },
  ])
  await change('Madina', [{ to: 'Adenta', km: 90 }])
  // The zones that are asked for beside the list come later than it.
  let asked = 0
  network().setConditions(({ url }) =>
    url.endsWith('/zones') && asked++ === 0 ? 'request lost' : 'fine',
  )
  await phone.settle()
  expect((await onWay()).sort()).toEqual([direct, joins].sort())
  const { rows } = await lists.availableRange(phone.db, {}, { limit: 100 })
  expect(rows.map(({ ID }) => ID)).toContain(leaves)
})
