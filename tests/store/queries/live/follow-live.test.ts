import 'fake-indexeddb/auto'
import { Dexie, type EntityTable } from 'dexie'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { followLive } from '#store/queries/live/follow-live.ts'

/* A live query of the screens: prompt after a quiet time, bounded while rows change all the time. */

type Row = { id: number; text: string }
type Db = Dexie & { rows: EntityTable<Row, 'id'> }
let db: Db
const stops: (() => void)[] = []

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  db = new Dexie(`follow-${Math.random()}`) as Db
  db.version(1).stores({ rows: '++id' })
  await db.open()
})
afterEach(async () => {
  for (const stop of stops.splice(0)) stop()
  await db.delete()
  vi.useRealTimers()
})

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Lets milliseconds pass, five at a time; in between the database does what it was asked for. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left >= 0; left -= 5) {
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(Math.min(left, 5))
  }
}

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

/** Adds a row every five milliseconds until the followed query has run so often; returns how many. */
async function writeDuring(runs: readonly number[], count: number): Promise<number> {
  let written = 0
  for (; runs.length < count; written += 1) {
    // It waits for a query under way, which itself waits for time to pass.
    void db.rows.add({ text: 'x' })
    await pass(5)
  }
  return written
}

/** Milliseconds between each run and the next. */
function pauses(runs: readonly number[]): number[] {
  return runs.slice(1).map((at, index) => at - (runs[index] ?? 0))
}

it('the first value comes at once, and so does a change after a quiet time', async () => {
  const { seen, runs } = followCount()
  await pass(5)
  expect(seen).toEqual([0])
  await pass(300)
  await db.rows.add({ text: 'x' })
  const changed = performance.now()
  await pass(5)
  expect(seen).toEqual([0, 1])
  expect((runs[1] ?? 0) - changed).toBeLessThanOrEqual(5)
})

it('while rows change all the time it runs at most four times a second, and ends with the last value', async () => {
  const { seen, runs } = followCount()
  const written = await writeDuring(runs, 7)
  expect(Math.min(...pauses(runs))).toBeGreaterThanOrEqual(250)
  // Values arrive meanwhile, not only when it is over.
  expect(seen.length).toBeGreaterThanOrEqual(4)
  await pass(300)
  expect(seen.at(-1)).toBe(written)
  expect(new Set(seen).size).toBe(seen.length)
})

it('a query that takes long still gives values while rows change, and runs a quarter of the time', async () => {
  const { seen, runs } = followCount(100)
  const written = await writeDuring(runs, 4)
  expect(seen.length).toBeGreaterThanOrEqual(2)
  expect(Math.min(...pauses(runs))).toBeGreaterThanOrEqual(400)
  await pass(1_000)
  expect(seen.at(-1)).toBe(written)
})

it('a change during the query itself is not missed', async () => {
  const { seen } = followCount(50)
  await pass(20)
  const added = db.rows.add({ text: 'x' })
  await pass(1_000)
  await added
  expect(seen.at(-1)).toBe(1)
})

it('a query during which the phone slept is soon run again', async () => {
  const { seen } = followCount(50)
  await pass(20)
  await vi.advanceTimersByTimeAsync(600_000)
  await pass(5)
  expect(seen).toEqual([0])
  await db.rows.add({ text: 'x' })
  // Ten seconds, though the query seemed to take ten minutes.
  await vi.advanceTimersByTimeAsync(10_000)
  await pass(100)
  expect(seen.at(-1)).toBe(1)
})

it('a failing query reports its error', async () => {
  const errors: unknown[] = []
  stops.push(
    followLive(() => Promise.reject(new Error('broken')), {
      next: () => undefined,
      error: (cause) => errors.push(cause),
    }),
  )
  await pass(5)
  expect(errors.map(String)).toEqual(['Error: broken'])
})

it('nothing arrives after it was stopped', async () => {
  const { seen } = followCount()
  await pass(5)
  expect(seen).toEqual([0])
  for (const stop of stops.splice(0)) stop()
  await db.rows.add({ text: 'x' })
  await pass(400)
  expect(seen).toEqual([0])
})
