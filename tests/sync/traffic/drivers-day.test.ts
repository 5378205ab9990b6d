import { expect, test } from 'vitest'
import { driversDay } from './drivers-day.ts'

// `tests/slow/sync/traffic/drivers-day.test.ts` takes the whole day.
test('S24: a fifth of a driver’s day, with 2 jobs and 8 others passing by, takes at most 200 kB beside photos', async () => {
  const { done, traffic } = await driversDay(10)
  expect(done).toBe(2)
  expect(traffic.up + traffic.down).toBeLessThanOrEqual(200_000)
})
