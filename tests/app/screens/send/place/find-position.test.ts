import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { coarsest, findPosition } from '#app/screens/send/place/find-position.ts'
import { distanceText, positionText } from '#app/screens/send/place/position-text.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const at = (accuracy: number) => ({ latitude: 5.556_012_34, longitude: -0.180_009_8, accuracy })

/** A browser that answers with this position, with this error, or not at all. */
const browser = (answer: { coords?: object; code?: number }) =>
  ({
    getCurrentPosition(onFix: (fix: object) => void, onError: (error: object) => void) {
      if (answer.coords) onFix(answer)
      else if (answer.code !== undefined) onError(answer)
    },
  }) as unknown as Geolocation

describe('R112: the position of this phone', () => {
  test('is rounded to about a metre, with its accuracy', async () => {
    expect(await findPosition(browser({ coords: at(12) }))).toEqual({
      lat: 5.55601,
      lng: -0.18001,
      accuracy: 12,
    })
  })

  test('is no pin where it is coarse', async () => {
    expect(await findPosition(browser({ coords: at(coarsest) }))).toHaveProperty('lat')
    expect(await findPosition(browser({ coords: at(coarsest + 1) }))).toEqual({
      problem: 'coarse',
      accuracy: coarsest + 1,
    })
  })

  test.each([
    [1, 'denied'],
    [2, 'unavailable'],
    [3, 'timeout'],
    [99, 'unavailable'],
  ])('error %i of the browser is %s, in words of its own', async (code, problem) => {
    const found = await findPosition(browser({ code }))
    expect(found).toEqual({ problem })
    expect(positionText(found as never)).toMatch(/describe the place\.$/)
  })

  test('a browser without positions, and one that never answers, say so too', async () => {
    expect(await findPosition(undefined)).toEqual({ problem: 'missing' })
    const asked = findPosition(browser({}))
    await vi.runAllTimersAsync()
    expect(await asked).toEqual({ problem: 'timeout' })
  })
})

test.each([
  [0.2, '1 m'],
  [12.4, '12 m'],
  [999, '999 m'],
  [1_240, '1.2 km'],
  [23_400, '23 km'],
])('%f metres are "%s"', (metres, text) => {
  expect(distanceText(metres)).toBe(text)
})
