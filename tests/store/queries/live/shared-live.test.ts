import { afterEach, expect, test, vi } from 'vitest'
import { viewer } from '#store/queries/account/viewer.ts'
import { type Query, sharedLive } from '#store/queries/live/shared-live.ts'
import { outboxSummary } from '#store/queries/queries.ts'
import { deliveriesUnderWay } from '#store/queries/under-way.ts'
import type { SomaDb } from '#store/soma-db.ts'
import { countCosts } from '../../../helpers/device/costs.ts'
import { createDevice, person, signIn } from '../../../helpers/device/device.ts'

/* Screens that ask the same share one live query. */

afterEach(() => {
  vi.restoreAllMocks()
})

const namesFrom: Query<[string], string[]> = async (db, first) =>
  (await db.zones.where('ID').aboveOrEqual(first).toArray()).map(({ Name }) => Name)

/** A phone whose database is counted, and a way to follow its zones; `seen`: what each follower was told. */
async function phone() {
  const costs = countCosts()
  const { db } = createDevice()
  await db.zones.put({ ID: '1', Name: 'Osu' })
  costs()
  const follow = (first: string) => {
    const seen: string[][] = []
    return { seen, stop: sharedLive(db, namesFrom, [first]).subscribe((names) => seen.push(names)) }
  }
  return { db, costs, follow, isCurrent: () => sharedLive(db, namesFrom, ['1']).hasValue() }
}

test('two that ask the same read it once, at first and after a change', async () => {
  const { db, costs, follow } = await phone()
  const all = [follow('1'), follow('1'), follow('2')]
  await expect.poll(() => all.map(({ seen }) => seen)).toEqual([[['Osu']], [['Osu']], [[]]])
  expect(costs().reading).toBe(2)
  await db.zones.put({ ID: '1', Name: 'Tema' })
  await expect.poll(() => all[1]?.seen.at(-1)).toEqual(['Tema'])
  expect(all[0]?.seen).toEqual([['Osu'], ['Tema']])
  expect(costs().reading).toBe(1)
  for (const { stop } of all) stop()
})

test('who comes later gets the value at once, and nothing is read', async () => {
  const { db, costs, follow } = await phone()
  const first = follow('1')
  await expect.poll(() => first.seen).toEqual([['Osu']])
  costs()
  const later = follow('1')
  expect(later.seen).toEqual([['Osu']])
  expect(costs().reading).toBe(0)
  first.stop()
  await db.zones.put({ ID: '1', Name: 'Tema' })
  await expect.poll(() => later.seen.at(-1)).toEqual(['Tema'])
  expect(first.seen).toEqual([['Osu']])
  later.stop()
})

test('who comes after a change never gets the value before it', async () => {
  const { db, follow, isCurrent } = await phone()
  const first = follow('1')
  await expect.poll(() => first.seen).toEqual([['Osu']])
  await db.zones.put({ ID: '1', Name: 'Tema' })
  await expect.poll(isCurrent).toBe(false)
  const later = follow('1')
  await expect.poll(() => later.seen.length).toBeGreaterThan(0)
  expect(later.seen[0]).toEqual(['Tema'])
  for (const { stop } of [first, later]) stop()
})

test('after the last has left, the next reads anew; so does one after a failure', async () => {
  const { db, costs, follow } = await phone()
  const first = follow('1')
  await expect.poll(() => first.seen).toEqual([['Osu']])
  first.stop()
  costs()
  const next = follow('1')
  expect(next.seen).toEqual([])
  await expect.poll(() => next.seen).toEqual([['Osu']])
  expect(costs().reading).toBe(1)
  next.stop()

  let isBroken = true
  const broken = async () => {
    if (isBroken) throw new Error('broken')
    return 'mended'
  }
  const told: unknown[] = []
  const listen = () =>
    sharedLive(db, broken, []).subscribe(
      (value) => told.push(value),
      (cause) => told.push(String(cause)),
    )
  const stops = [listen()]
  await expect.poll(() => told).toEqual(['Error: broken'])
  isBroken = false
  stops.push(listen())
  await expect.poll(() => told.at(-1)).toBe('mended')
  for (const stop of stops) stop()
})

test.each<[string, (db: SomaDb) => Promise<unknown>]>([
  ['viewer', viewer],
  ['outboxSummary', outboxSummary],
  ['deliveriesUnderWay', (db) => deliveriesUnderWay(db)],
])('%s is read in one transaction', async (_, query) => {
  const costs = countCosts()
  const { db } = createDevice()
  await signIn(db, person('yaw', 'driver', { driverStatus: 'approved' }))
  costs()
  await query(db)
  expect(costs().reading).toBe(1)
})
