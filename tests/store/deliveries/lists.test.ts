import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { mergeFromServer } from '#store/deliveries/projection.ts'
import { saveDeliveries } from '#store/deliveries/save/account-rows.ts'
import { saveAdminPage } from '#store/deliveries/save/admin-rows.ts'
import { dropBeyondBound, saveOffers } from '#store/deliveries/save/offers.ts'
import { dropOld } from '#store/deliveries/save/old-rows.ts'
import { saveOlderPage } from '#store/deliveries/save/older-pages.ts'
import { savePushedOffers } from '#store/model/pushed-offers.ts'
import { getState } from '#sync/database/device/state.ts'
import { deliveryOf } from '../../helpers/device/context.ts'
import { createDevice, person, signIn } from '../../helpers/device/device.ts'
import { present } from '../../helpers/present.ts'

const day = 24 * 3_600_000
const today = Date.parse('2026-11-21T10:00:00.000Z')
const ago = (days: number) => new Date(today - days * day).toISOString()
const esi = { id: 'esi', name: 'Esi', phone: '0244000001' }
const kofi = { id: 'kofi', name: 'Kofi', phone: '0244000000' }

let db: ReturnType<typeof createDevice>['db']
let device: ReturnType<typeof createDevice>
beforeEach(async () => {
  device = createDevice()
  db = device.db
  await signIn(db, person('kofi', 'driver', { driverStatus: 'approved' }))
})
afterEach(() => db.close())

const within = <T>(work: () => Promise<T>): Promise<T> =>
  db.transaction('rw', db.tables, async () => work())
const offer = (id: string, more: Partial<Delivery> = {}) => deliveryOf(id, { sender: esi, ...more })
const job = (id: string, more: Partial<Delivery> = {}) =>
  offer(id, { status: 'Accepted', driver: kofi, ...more })
const bring = (deliveries: Delivery[], serverAt: number) =>
  within(() => mergeFromServer(db, 'kofi', deliveries, { serverAt }))
const held = async () => (await db.deliveries.toArray()).map(({ ID }) => ID).sort()

describe('S50: what has ended leaves the phone after 90 days of the server’s time', () => {
  const old = { createdAt: ago(100), updatedAt: ago(95) }
  const drop = () => within(() => dropOld(db, 'kofi', 'jobAt', today))
  beforeEach(async () => {
    await bring(
      [
        job('ended', { ...old, status: 'Approved' }),
        job('open', old),
        job('ended lately', { ...old, updatedAt: ago(89), status: 'Approved' }),
        job('new', { status: 'Approved' }),
      ],
      1,
    )
  })

  test('without the server’s time nothing leaves', async () => {
    expect(await within(() => dropOld(db, 'kofi', 'jobAt', undefined))).toBe(false)
    expect(await held()).toHaveLength(4)
  })

  test('what has something pending stays', async () => {
    const row = present(await db.deliveries.get(['kofi', 'ended']))
    const marks = [{ entry: 'e', op: 'attachProof', state: 'waiting' }] as const
    await db.deliveries.put({ ...row, marks: [...marks] })
    expect(await drop()).toBe(false)
  })
})

describe('S50: at most 2,000 jobs on offer', () => {
  const at = (minutes: number) => new Date(today + minutes * 60_000).toISOString()

  test('stay: those of the route that is looked at, the newest first', async () => {
    const along = Array.from({ length: 1_500 }, (_, index) =>
      offer(`osu ${index}`, { createdAt: at(index) }),
    )
    const others = Array.from({ length: 600 }, (_, index) =>
      offer(`kasoa ${index}`, { pickupZone: 'Kasoa', createdAt: at(index) }),
    )
    await bring([...along, ...others], 1)
    const lists = ['available?pickupZone=Osu', 'available?pickupZone=Kasoa']
    await db.pulls.bulkPut(lists.map((list) => ({ account: 'kofi', list, at: 1, cursor: 'c' })))
    const isFull = await within(() => dropBeyondBound(db, 'kofi', 'available?pickupZone=Osu'))
    expect(isFull).toBe(false)
    const left = await held()
    expect(left).toHaveLength(2_000)
    expect(left.filter((id) => id.startsWith('osu'))).toHaveLength(1_500)
    expect(left).toContain('kasoa 599')
    expect(left).not.toContain('kasoa 99')
    // The other route has a hole now: it is asked for in full when it is looked at again.
    expect((await db.pulls.toArray()).map(({ list }) => list)).toEqual(['available?pickupZone=Osu'])
  })

  test('of one route the oldest leave', async () => {
    const many = Array.from({ length: 2_001 }, (_, index) =>
      offer(`d${index}`, { createdAt: at(index) }),
    )
    await bring(many, 1)
    expect(await within(() => dropBeyondBound(db, 'kofi', 'available'))).toBe(true)
    expect(await held()).not.toContain('d0')
    expect(await db.deliveries.count()).toBe(2_000)
  })

  test('a route that nobody asked for within a day leaves with its jobs, what is pending stays', async () => {
    await bring([offer('seen'), offer('unseen', { pickupZone: 'Kasoa' })], 1)
    await bring([offer('mine', { pickupZone: 'Kasoa' })], 1)
    await device.commands.acceptDelivery('mine')
    const pulled = { account: 'kofi', at: 1 }
    await db.pulls.bulkPut([
      { ...pulled, list: 'available?pickupZone=Osu', serverTime: today },
      { ...pulled, list: 'available?pickupZone=Kasoa', serverTime: today - day - 1 },
    ])
    const list = { list: 'available?pickupZone=Osu', pages: { seen: new Set<string>() } }
    const answer = { account: 'kofi', serverAt: 2, askedAt: 1, now: today }
    await within(() =>
      saveOffers(db, { ...list, serverTime: today }, { deliveries: [], removed: [] }, answer),
    )
    expect(await held()).toEqual(['mine', 'seen'])
    expect(await db.pulls.count()).toBe(1)
  })
})

describe('S78: what was said since a page of jobs was asked for stands', () => {
  const page = (deliveries: Delivery[], askedAt: number, removed?: string[]) => {
    const list = { list: 'available', pages: { seen: new Set<string>() } }
    const answer = { account: 'kofi', askedAt, serverAt: askedAt + 2, now: today }
    return within(() => saveOffers(db, list, { deliveries, removed }, answer))
  }

  test.for([undefined, ['before', 'since']])(
    'what it brought stays, without %o',
    async (removed) => {
      await bring([offer('before')], 1)
      await bring([offer('since')], 3)
      await page([], 2, removed)
      expect(await held()).toEqual(['since'])
    },
  )

  test('what it took stays away, until a later page brings it', async () => {
    await bring([offer('taken')], 1)
    await savePushedOffers(db, 'kofi', [{ id: 'taken' }], 3)
    await page([offer('taken')], 2)
    expect(await held()).toEqual([])
    await page([offer('taken')], 4)
    expect(await held()).toEqual(['taken'])
  })

  test('a job that it took from those on offer stays in the driver’s own list', async () => {
    await savePushedOffers(db, 'kofi', [{ id: 'accepted' }], 3)
    const pulled = { account: 'kofi', at: 1, older: { after: 'next' } }
    const older = async (list: string, by: 'openAt' | 'jobAt', row: Delivery) => {
      await db.pulls.put({ ...pulled, list })
      const response = { account: 'kofi', askedAt: 2, serverAt: 4, now: today }
      const page = { response, deliveries: [row], unreadable: [] }
      await saveOlderPage(db, { account: 'kofi', list, by, older: pulled.older }, page)
    }
    await older('available', 'openAt', offer('accepted'))
    expect(await held()).toEqual([])
    await older('jobs', 'jobAt', job('accepted'))
    expect(await held()).toEqual(['accepted'])
  })

  test('a job accepted since stays, and is not said to be taken', async () => {
    await bring([job('job')], 3)
    const full = (askedAt: number) => {
      const answer = { account: 'kofi', askedAt, serverAt: askedAt + 2, now: today }
      const pages = { seen: new Set<string>() }
      return within(() => saveDeliveries(db, 'jobAt', { deliveries: [] }, pages, answer))
    }
    await full(2)
    expect(await held()).toEqual(['job'])
    expect(await getState(db, 'taken:kofi:job')).toBeUndefined()
    await full(5)
    expect(await held()).toEqual([])
    expect(await getState(db, 'taken:kofi:job')).toBeDefined()
  })
})

test.for(['users', 'drivers', 'disputes', 'payouts'] as const)(
  'S78: what an act of the office changed in %s since a page was asked for stands',
  async (table) => {
    const page = (askedAt: number) => {
      const answer = { account: 'kofi', askedAt, serverAt: askedAt + 2, now: today }
      const rows = { [table]: [{ ID: 'row', Status: 'as asked' }] }
      return within(() => saveAdminPage(db, { list: 'any', query: '' }, rows, answer))
    }
    await page(1)
    await db.table(table).update(['kofi', 'row'], { Status: 'decided', serverAt: 3 })
    await page(2)
    expect(await db.table(table).get(['kofi', 'row'])).toMatchObject({ Status: 'decided' })
    await page(4)
    expect(await db.table(table).get(['kofi', 'row'])).toMatchObject({ Status: 'as asked' })
  },
)
