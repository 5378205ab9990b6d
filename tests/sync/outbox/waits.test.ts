import { describe, expect, test } from 'vitest'
import { createWaits } from '#sync/outbox/waits.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
/** In Europe the clocks went back an hour at this moment; what is stored knows no time zone. */
const start = Date.parse('2026-10-25T01:00:00.000Z')

/** The clocks of one page: `pass` lets time go by, `set` changes the device's clock alone, as a sleep may. */
function pageClock(offset = 0) {
  let time = start
  let skew = offset
  return {
    now: () => time + skew,
    monotonic: () => time - 5 * day,
    pass: (ms: number) => {
      time += ms
    },
    set: (ms: number) => {
      skew += ms
    },
  }
}

const waiting = { id: 'e1', state: 'waiting' } as const

/** What becomes of the device's clock, milliseconds. */
const jumps: [string, number][] = [
  ['not set', 0],
  ['15 s ahead, as after a sleep', 15 * second],
  ['an hour ahead', hour],
  ['an hour back', -hour],
  ['a day ahead', day],
  ['a day back', -day],
]

describe.each(jumps)('S60: the device’s clock %s while something can be undone', (_, jump) => {
  test('its page counts ten seconds, and never shows more', () => {
    const clock = pageClock()
    const waits = createWaits(clock)
    const entry = { ...waiting, ...waits.hold('e1', 10 * second) }
    const shown = [waits.left(entry)]
    for (let at = 1; at <= 11; at++) {
      clock.pass(second)
      if (at === 3) clock.set(jump)
      shown.push(waits.left(entry))
    }
    expect(shown).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0].map((each) => each * second))
  })

  test('another tab that saw it begin does so too', () => {
    const clock = pageClock()
    const entry = { ...waiting, ...createWaits(clock).hold('e1', 10 * second) }
    const other = createWaits(clock)
    clock.pass(second)
    expect(other.left(entry)).toBe(9 * second)
    clock.set(jump)
    clock.pass(5 * second)
    expect(other.left(entry)).toBe(4 * second)
  })

  test('a page that is opened after it waits no longer than the ten seconds', () => {
    const clock = pageClock()
    const entry = { ...waiting, ...createWaits(clock).hold('e1', 10 * second) }
    clock.pass(3 * second)
    clock.set(jump)
    const reopened = createWaits(clock)
    expect(reopened.left(entry)).toBeLessThanOrEqual(10 * second)
    clock.pass(10 * second)
    expect(reopened.left(entry)).toBe(0)
  })

  test('S76: the worker counts all of it from when it first saw it', () => {
    const clock = pageClock()
    const entry = { ...waiting, ...createWaits(clock).hold('e1', 10 * second) }
    clock.pass(2 * second)
    clock.set(jump)
    const waits = createWaits(clock, true)
    expect(waits.left(entry)).toBe(10 * second)
    clock.pass(9 * second)
    expect(waits.left(entry)).toBe(second)
  })
})

test('S60: what was over when its page was opened again leaves at once', () => {
  const clock = pageClock()
  const entry = { ...waiting, ...createWaits(clock).hold('e1', 10 * second) }
  clock.pass(minute)
  expect(createWaits(clock).left(entry)).toBe(0)
})

describe('S44: a time that is stored', () => {
  const left = (stored: object, clock = pageClock()) =>
    createWaits(clock).left({ id: 'e1', state: 'retrying', left: true, nextAt: 0, ...stored })

  test.each([
    ['has come', start - 1, { wait: minute }, 0],
    ['is to come', start + 7 * second, { wait: minute }, 7 * second],
    ['was stored by a clock three hours ahead', start + 3 * hour, { wait: minute }, minute],
    [
      'was named by the server, by such a clock',
      start + 3 * hour,
      { wait: hour, held: true },
      hour,
    ],
    ['is of a version before, and further off than any pause', start + day, {}, 5 * minute],
    ['is of a version before, and named by the server', start + 2 * day, { held: true }, day],
  ])('%s', (_, nextAt, more, expected) => {
    expect(left({ nextAt, ...more })).toBe(expected)
  })

  test('of a version before of what can be undone is ten seconds off at most', () => {
    const held = { state: 'waiting', left: undefined, held: true }
    expect(left({ ...held, nextAt: start + 4 * second })).toBe(4 * second)
    expect(left({ ...held, nextAt: start + 3 * hour })).toBe(10 * second)
  })

  test('counts anew once another is stored, and no more once the person wants it now', () => {
    const clock = pageClock()
    const waits = createWaits(clock)
    const stored = { id: 'e1', nextAt: start + minute, wait: minute }
    expect(waits.left(stored)).toBe(minute)
    clock.pass(minute)
    expect(waits.left(stored)).toBe(0)
    expect(waits.left({ ...stored, nextAt: clock.now() + 5 * second })).toBe(5 * second)
    expect(waits.left({ ...stored, nextAt: 0 })).toBe(0)
  })
})
