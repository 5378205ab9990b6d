import { Dexie } from 'dexie'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { defaultPlaces } from '#domain/zones/default-places.ts'
import {
  availableCount,
  availableInOrder,
  availableRange,
  readLoaded,
} from '#store/queries/lists.ts'
import {
  type FoundRange,
  followPages,
  type ListRange,
  type Pages,
} from '#store/queries/live/follow-pages.ts'
import type { DeliveryRow } from '#store/rows.ts'
import type { SomaDb } from '#store/soma-db.ts'
import { deliveryOf, saveRows } from '../../../helpers/device/context.ts'
import { createDevice, person, signIn } from '../../../helpers/device/device.ts'

/* A list that grows page by page (S50): every row once, in order, and a change reads one page again. */

const zones = ['Osu', 'Tema', 'Madina']

/** The phone of a driver with a job on offer for each of these minutes. */
async function driverWith(minutes: number[]): Promise<SomaDb> {
  const { db } = createDevice()
  await signIn(db, person('yaw', 'driver', { driverStatus: 'approved' }))
  await offer(db, minutes, 'd')
  return db
}

const offer = (db: SomaDb, minutes: number[], prefix: string) =>
  saveRows(
    db,
    'yaw',
    minutes.map((minute, at) =>
      deliveryOf(`${prefix}${at}`, {
        status: 'Pending',
        createdAt: new Date(Date.UTC(2026, 10, 1) + minute * 60_000).toISOString(),
        pickupZone: zones[at % 3],
        offer: 10 + (at % 7),
      }),
    ),
  )

type Followed = {
  pickupZone?: string
  read?: (part: ListRange) => Promise<FoundRange<DeliveryRow>>
}

function follow(db: SomaDb, sizes: { first: number; next: number }, of: Followed = {}) {
  const { pickupZone, read = (part: ListRange) => availableRange(db, { pickupZone }, part) } = of
  const reads: ListRange[] = []
  let latest: Pages<DeliveryRow> | undefined
  const { more, stop } = followPages(
    (part) => {
      reads.push(part)
      return read(part)
    },
    sizes,
    {
      next: (pages) => {
        latest = pages
      },
      error: (cause) => {
        throw cause
      },
    },
  )
  const settled = () =>
    vi.waitFor(
      () => {
        if (!latest || latest.next === 'reading') throw new Error('A page is still read')
        return latest
      },
      { timeout: 60_000, interval: 1 },
    )
  return { reads, more, stop, settled, ids: () => idsOf(latest?.pages.flat() ?? []) }
}

const idsOf = (rows: DeliveryRow[]) => rows.map(({ ID }) => ID)

const everything = { limit: Number.POSITIVE_INFINITY }

test('however many rows there are, and however many of the same time, the pages together are the list', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 60 }),
        fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 60 }),
      ),
      fc.record({ first: fc.integer({ min: 1, max: 9 }), next: fc.integer({ min: 1, max: 9 }) }),
      fc.constantFrom(undefined, 'Osu', 'Nowhere'),
      async (minutes, sizes, pickupZone) => {
        const db = await driverWith(minutes)
        const { more, stop, settled, ids } = follow(db, sizes, { pickupZone })
        while ((await settled()).next === 'more') more()
        const { rows } = await availableRange(db, { pickupZone }, everything)
        expect(ids()).toEqual(idsOf(rows))
        expect(await availableCount(db, { pickupZone })).toBe(rows.length)
        stop()
      },
    ),
    { numRuns: 12 },
  )
})

test('of 500 rows every one is in a page', async () => {
  const db = await driverWith(Array.from({ length: 500 }, (_, at) => at))
  const { more, stop, settled, ids } = follow(db, { first: 16, next: 24 })
  while ((await settled()).next === 'more') more()
  expect(ids()).toHaveLength(500)
  expect(ids()).toEqual(idsOf((await availableRange(db, {}, everything)).rows))
  stop()
})

test('a change reads its own page again, and leaves the rows of the others the same objects', async () => {
  const db = await driverWith(Array.from({ length: 40 }, (_, at) => 1_000 - at))
  const { reads, more, stop, settled, ids } = follow(db, { first: 10, next: 10 })
  await settled()
  more()
  await settled()
  more()
  await settled()
  // A page that was read up to its limit learns of every change below it, once.
  await offer(db, [999.5, 985.7, 975.5], 'early')
  await expect.poll(() => ids()).toHaveLength(33)
  const before = (await settled()).pages
  const seen = reads.length
  await offer(db, [985.5], 'late')
  await expect.poll(() => ids()).toContain('late0')
  const after = (await settled()).pages
  expect(after.map((rows) => rows.length)).toEqual([11, 12, 11])
  expect(after[0]).toBe(before[0])
  expect(after[2]).toBe(before[2])
  expect(after[1]?.[6]?.ID).toBe('late0')
  // The page, and no other.
  expect(new Set(reads.slice(seen).map(({ below }) => below)).size).toBe(1)
  stop()
})

test('a page that was not full takes older rows as they come, until it is', async () => {
  const db = await driverWith([30, 29, 28])
  const { stop, settled, ids } = follow(db, { first: 5, next: 5 })
  expect((await settled()).next).toBe('none')
  await offer(db, [20, 19, 18, 17], 'older')
  await expect.poll(() => ids()).toHaveLength(5)
  expect((await settled()).next).toBe('more')
  expect(ids()).toEqual(['d0', 'd1', 'd2', 'older0', 'older1'])
  stop()
})

test('by price all are sorted, best paid first, and more and more of them shown', async () => {
  const db = await driverWith(Array.from({ length: 30 }, (_, at) => at))
  const { reads, more, stop, settled, ids } = follow(
    db,
    { first: 10, next: 15 },
    { read: () => availableInOrder(db, {}, 'price') },
  )
  for (const shown of [10, 25, 30]) {
    expect((await settled()).pages.map((rows) => rows.length)).toEqual([shown])
    expect((await settled()).next).toBe(shown === 30 ? 'none' : 'more')
    more()
  }
  const { rows } = await availableInOrder(db, {}, 'price')
  const offers = rows.map(({ view }) => view.offer)
  expect(offers).toEqual([...offers].sort((a, b) => b - a))
  expect(ids()).toEqual(idsOf(rows))
  expect(reads).toHaveLength(1)
  stop()
})

test('rows are complete only if their list was loaded, by then', async () => {
  const db = await driverWith([2, 1])
  let meanwhile = Promise.resolve()
  const read = readLoaded(
    async (_, part) => {
      // A pull that ends while the rows are read.
      meanwhile = Dexie.ignoreTransaction(async () => {
        await db.pulls.put({ account: 'yaw', list: 'available', at: 1, cursor: 'c' })
      })
      return availableRange(db, {}, part)
    },
    { db, list: 'available' },
  )
  expect(await read(everything)).toMatchObject({ rows: { length: 2 }, isComplete: false })
  await meanwhile
  expect(await read(everything)).toMatchObject({ isComplete: true })
})

test('jobs on a way are complete only with the roads', async () => {
  const db = await driverWith([1])
  await db.pulls.put({ account: 'yaw', list: 'available?from=Adenta&to=Osu', at: 1, cursor: 'c' })
  const onWay = () => availableInOrder(db, { from: 'Adenta', to: 'Osu' }, 'pay')
  expect(await onWay()).toMatchObject({ isComplete: false })
  await db.zones.bulkPut(defaultPlaces().map((place) => ({ ...place, ID: place.Name })))
  expect(await onWay()).toMatchObject({ isComplete: true })
})
