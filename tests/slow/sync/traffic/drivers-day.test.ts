import { expect, test } from 'vitest'
import { driversDay } from '../../../sync/traffic/drivers-day.ts'

test('S24: a driver’s day of 8 hours, 10 jobs and 40 others passing by takes at most 1 MB beside photos', async () => {
  const { done, traffic } = await driversDay(50)
  const { up, down, requests, byPath } = traffic
  const kilobytes = (bytes: number) => Math.round(bytes / 100) / 10
  const paths = [...byPath]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 6)
    .map(([path, bytes]) => `${path} ${kilobytes(bytes)}`)
  process.stdout.write(
    `A driver’s day: ${kilobytes(up)} kB sent, ${kilobytes(down)} kB received, ${requests} requests (kB: ${paths.join(', ')})\n`,
  )
  expect(done).toBe(10)
  expect(up + down).toBeLessThanOrEqual(1_000_000)
})
