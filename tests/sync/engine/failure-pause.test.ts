import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pauseAfter } from '#sync/engine/failure-pause.ts'

const hour = 3_600_000

test('S45: a list that fails all day asks at most 40 times an hour', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (fraction) => {
      const inHour = Array.from({ length: 24 }, () => 0)
      for (let at = 0, failures = 1; at < 24 * hour; failures++) {
        inHour[Math.floor(at / hour)] = (inHour[Math.floor(at / hour)] ?? 0) + 1
        at += pauseAfter(failures, () => fraction)
      }
      expect(Math.max(...inHour)).toBeLessThanOrEqual(40)
    }),
  )
})
