import 'fake-indexeddb/auto'
import { Dexie, type EntityTable } from 'dexie'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { followLive } from '#store/queries/follow-live.ts'

/* A live query of the screens: prompt after a quiet time, bounded while rows change all the time. */

type Row = { id: number; text: string }
type Db = Dexie & { rows: EntityTable<Row, 'id'> }
let db: Db
const stops: (() => void)[] = []

beforeEach(async () => {
  db = new Dexie(`follow-${Math.random()}`) as Db
  db.version(1).stores({ rows: '++id' })
  await db.open()
})
afterEach(async () => {
  for (const stop of stops.splice(0)) stop()
  await db.delete()
})

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Follows the number of rows; `took`: how long the query itself takes, in milliseconds. */
function followCount(took = 0) {
  const seen: number[] = []
  const runs: number[] = []
  const query = async () => {
    runs.push(performance.now())
    const count = await db.rows.count()
    if (took > 0) await Dexie.waitFor(sleep(took))
    return count
  }
  const error = (cause: unknown) => {
    throw cause
  }
  stops.push(
    followLive(took > 0 ? () => db.transaction('r', db.rows, query) : query, {
      next: (value) => seen.push(value),
      error,
    }),
  )
  return { seen, runs }
}

/** Adds rows, one every five milliseconds at most, until the followed query has run so often; returns how many. */
async function writeDuring(runs: readonly number[], count: number): Promise<number> {
  let written = 0
  for (; runs.length < count; written += 1) {
    await db.rows.add({ text: 'x' })
    await sleep(5)
  }
  return written
}

/** Milliseconds between each run and the next. */
function pauses(runs: readonly number[]): number[] {
  return runs.slice(1).map((at, index) => at - (runs[index] ?? 0))
}

it('the first value comes at once, and so does a change after a quiet time', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout')
  const { seen } = followCount()
  await expect.poll(() => seen).toEqual([0])
  await sleep(300)
  await db.rows.add({ text: 'x' })
  await expect.poll(() => seen.at(-1), { interval: 5 }).toBe(1)
  // One timer of its own, for the second run, which does not wait.
  const own = timers.mock.calls.filter(([{ name }]) => name === 'start')
  timers.mockRestore()
  expect(own.map(([, delay]) => delay)).toEqual([0])
})

it('while rows change all the time it runs at most four times a second, and ends with the last value', async () => {
  const { seen, runs } = followCount()
  const written = await writeDuring(runs, 7)
  expect(Math.min(...pauses(runs))).toBeGreaterThan(240)
  // Values arrive meanwhile, not only when it is over.
  expect(seen.length).toBeGreaterThanOrEqual(4)
  await expect.poll(() => seen.at(-1)).toBe(written)
  expect(new Set(seen).size).toBe(seen.length)
})

it('a query that takes long still gives values while rows change, and runs a quarter of the time', async () => {
  const { seen, runs } = followCount(100)
  const written = await writeDuring(runs, 4)
  expect(seen.length).toBeGreaterThanOrEqual(2)
  expect(Math.min(...pauses(runs))).toBeGreaterThan(390)
  await expect.poll(() => seen.at(-1)).toBe(written)
})

it('a change during the query itself is not missed', async () => {
  const { seen } = followCount(50)
  await sleep(20)
  await db.rows.add({ text: 'x' })
  await expect.poll(() => seen.at(-1)).toBe(1)
})

it('a query during which the phone slept is soon run again', async () => {
  const now = performance.now.bind(performance)
  let slept = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + slept)
  stops.push(() => clock.mockRestore())
  const { seen } = followCount(50)
  await sleep(20)
  slept = 600_000
  await expect.poll(() => seen).toEqual([0])
  await db.rows.add({ text: 'x' })
  await expect.poll(() => seen.at(-1)).toBe(1)
})

it('a failing query reports its error', async () => {
  const errors: unknown[] = []
  stops.push(
    followLive(() => Promise.reject(new Error('broken')), {
      next: () => undefined,
      error: (cause) => errors.push(cause),
    }),
  )
  await expect.poll(() => errors.map(String)).toEqual(['Error: broken'])
})

it('nothing arrives after it was stopped', async () => {
  const { seen } = followCount()
  await expect.poll(() => seen).toEqual([0])
  for (const stop of stops.splice(0)) stop()
  await db.rows.add({ text: 'x' })
  await sleep(400)
  expect(seen).toEqual([0])
})
