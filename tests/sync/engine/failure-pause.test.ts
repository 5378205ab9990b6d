import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pauseAfter } from '#sync/engine/failure-pause.ts'

const [minute, hour] = [60_000, 3_600_000]
const longest = () => 0
const shortest = () => 1

/** When a list that always fails is asked for, in milliseconds after its first failure. */
function timesWithin(ms: number, random: () => number): number[] {
  const times: number[] = []
  for (let [at, failures] = [0, 1]; at < ms; failures++) {
    times.push(at)
    at += pauseAfter(failures, random)
  }
  return times
}

test('S45: in the first minute of failures no pause is longer than 10 s', () => {
  const times = timesWithin(minute, longest)
  const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0))
  expect(pauses).toEqual([2_000, 4_000, 8_000, 10_000, 10_000, 10_000, 10_000])
})

test('S45: then pauses grow by half, up to 200 s', () => {
  expect([9, 10, 11, 12].map((failures) => pauseAfter(failures, longest))).toEqual([
    10_000, 15_000, 22_500, 33_750,
  ])
  expect([17, 18, 1_000].map((failures) => pauseAfter(failures, longest))).toEqual([
    200_000, 200_000, 200_000,
  ])
})

test('S45: a list that fails all day asks at most 40 times an hour', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (fraction) => {
      const times = timesWithin(24 * hour, () => fraction)
      for (let from = 0; from < 24; from++)
        expect(
          times.filter((at) => at >= from * hour && at < (from + 1) * hour).length,
        ).toBeLessThanOrEqual(40)
    }),
  )
})

test('jitter takes away at most a quarter', () => {
  for (const failures of [1, 4, 12, 100])
    expect(pauseAfter(failures, shortest)).toBe(Math.round(pauseAfter(failures, longest) * 0.75))
})
