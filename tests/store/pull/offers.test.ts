import { expect, test } from 'vitest'
import { everyDay } from '#domain/users/commutes.ts'
import { offersRef } from '#store/deliveries/offered-route.ts'
import { rememberedRoute } from '#store/queries/account/viewer.ts'
import * as lists from '#store/queries/lists.ts'
import { serverOfFile } from '../../sync/server-fixture.ts'
import { created, expectGrowth, type Offer, offersOnServer, older, serve } from './offers.ts'

const file = serverOfFile()
const { server, network, driverPhone } = file

test.for([200, 201])(
  'S50: of %i jobs on offer the newest 200 come, in one request',
  async (count) => {
    const all = await offersOnServer(server(), count)
    const asked = serve(network(), all, { rows: [], removed: [] })
    const phone = await driverPhone()
    await phone.settle()
    const held = await lists.available(phone.db, {}, 10_000)
    expect(held.map(({ ID }) => ID)).toEqual(
      all
        .slice(-200)
        .reverse()
        .map(({ ID }) => ID),
    )
    expect(asked.filter((query) => !query.has('since'))).toHaveLength(1)
    expect((await older(phone)) !== undefined).toBe(count > 200)
    if (count <= 200) return
    // The last page ends the list.
    expect(await phone.pullOlder({ kind: 'available' })).toBe('done')
    expect(await lists.available(phone.db, {}, 10_000)).toHaveLength(count)
    expect(await older(phone)).toBeUndefined()
  },
)

test('S50: a chosen route is asked for alone, and its older jobs stay beside the newest of all', async () => {
  const all = await offersOnServer(server(), 400)
  const asked = serve(network(), all, { rows: [], removed: [] })
  const phone = await driverPhone()
  await phone.settle()
  const before = asked.length
  const leave = phone.engine.watch(offersRef({ pickupZone: 'Osu', dropoffZone: 'Tema' }))
  await phone.settle()
  expect(await lists.available(phone.db, { pickupZone: 'Osu' }, 10_000)).toHaveLength(40)
  expect(asked.slice(before).every((query) => query.get('pickupZone') === 'Osu')).toBe(true)
  leave()
  await phone.settle()
  expect(await lists.available(phone.db, {}, 10_000)).toHaveLength(220)
})

test('S50: a delta of several pages is replaced by the newest page, and what was taken leaves (S36)', async () => {
  const all = await offersOnServer(server(), 300)
  const changed = {
    rows: [] as Offer[],
    removed: [] as string[],
    next: undefined as string | undefined,
  }
  const asked = serve(network(), all, changed)
  const phone = await driverPhone()
  await phone.settle()
  const leave = phone.engine.watch(offersRef({ pickupZone: 'Osu' }))
  await phone.settle()
  leave()
  const taken = all.splice(250, 20)
  changed.next = 'more'
  const before = asked.length
  await phone.settle()
  const held = await lists.available(phone.db, {}, 10_000)
  expect(asked.length).toBeGreaterThan(before)
  expect(asked.some((query) => query.has('after'))).toBe(false)
  const olderOnRoute = all.slice(0, -200).filter(({ pickupZone }) => pickupZone === 'Osu')
  const kept = [...olderOnRoute, ...all.slice(-200)]
  expect(held.map(({ ID }) => ID)).toEqual(kept.reverse().map(({ ID }) => ID))
  expect(held.some(({ ID }) => taken.some((each) => each.ID === ID))).toBe(false)
})

// `tests/slow/store/pull/offers.test.ts` goes on to the 2,000 that a phone keeps.
test('S50: jobs on offer grow on scrolling, page by page', () => expectGrowth(file, 450))

test('S50: the route chosen last is the one that is kept fresh, also with no screen open', async () => {
  const asked = serve(network(), await offersOnServer(server(), 20), { rows: [], removed: [] })
  const phone = await driverPhone()
  await phone.settle()
  const way = { from: 'Osu', to: 'Tema', detour: 3 }
  await phone.commands.rememberRoute(way)
  const before = asked.length
  await phone.settle()
  expect(await rememberedRoute(phone.db)).toEqual(way)
  expect(asked.length).toBeGreaterThan(before)
  for (const query of asked.slice(before))
    expect(Object.fromEntries(query)).toMatchObject({ from: 'Osu', to: 'Tema', detour: '3' })
  // The version before remembered a route of two zones.
  await phone.commands.rememberRoute({ pickupZone: 'Osu', dropoffZone: 'Madina' })
  await phone.settle()
  expect(Object.fromEntries(asked.at(-1) ?? [])).toMatchObject({ from: 'Osu', to: 'Madina' })
})

test('R166: neither a choice nor a commute is asked for whose zone has left the list', async () => {
  const asked = serve(network(), await offersOnServer(server(), 3), { rows: [], removed: [] })
  const phone = await driverPhone()
  phone.engine.watch({ kind: 'zones' })
  await phone.settle()
  const last = async () => {
    await phone.settle()
    const { limit: _, since: __, ...query } = Object.fromEntries(asked.at(-1) ?? [])
    return query
  }
  await phone.commands.rememberRoute({ from: 'Osu', to: 'Atlantis' })
  expect(await last()).toEqual({})
  const commute = { from: 'Madina', to: 'Tema', days: [...everyDay], notify: false }
  await phone.commands.changeCommutes(() => [commute])
  expect(await last()).toEqual({ from: 'Madina', to: 'Tema' })
  await server().pool().query(`delete from zones where name = 'Madina'`)
  await phone.settle()
  expect(await last()).toEqual({})
})

test('S50: a route that nobody has looked at for a day leaves the phone, a job in two lists stays', async () => {
  serve(network(), await offersOnServer(server(), 400), { rows: [], removed: [] })
  const phone = await driverPhone()
  await phone.settle()
  const leave = phone.engine.watch(offersRef({ pickupZone: 'Osu' }))
  await phone.settle()
  leave()
  expect(await lists.available(phone.db, {}, 10_000)).toHaveLength(220)
  const key = { account: (await phone.db.sessions.get('current'))?.account ?? '' }
  const list = 'available?pickupZone=Osu'
  await phone.db.pulls.update([key.account, list], {
    serverTime: Date.parse(created(400)) - 25 * 3_600_000,
  })
  await phone.settle()
  expect(await lists.available(phone.db, {}, 10_000)).toHaveLength(200)
  expect(await phone.db.pulls.get([key.account, list])).toBeUndefined()
})
