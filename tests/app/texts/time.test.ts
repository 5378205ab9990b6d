import { expect, test } from 'vitest'
import {
  atDueTime,
  claimText,
  countdown,
  dueTime,
  monthOf,
  shortDay,
  timeAgo,
  timeAhead,
  timeOrDate,
} from '#app/texts/time.ts'

const now = new Date(2026, 10, 23, 14, 5).getTime()
const before = (minutes: number) => now - minutes * 60_000

test.each([
  [0, 'just now'],
  [0.9, 'just now'],
  [1, '1 min ago'],
  [59.9, '59 min ago'],
  [60, '13:05'],
  [14 * 60, '00:05'],
  [14 * 60 + 6, '22 Nov'],
  [400 * 24 * 60, '19 Oct 2025'],
  // A phone's clock may be behind.
  [-5, '14:10'],
])('the age of what happened %d minutes before is "%s"', (minutes, text) => {
  expect(timeAgo(before(minutes), now)).toBe(text)
})

test('a time of today is a clock time, one of another day its date', () => {
  expect(timeOrDate(before(60), now)).toBe('13:05')
  expect(timeOrDate(before(24 * 60), now)).toBe('22 Nov')
  expect(timeOrDate('nothing', now)).toBe('N/A')
  expect(timeAgo('nothing', now)).toBe('N/A')
  expect(shortDay(new Date(2025, 0, 2).getTime(), now)).toBe('2 Jan 2025')
  expect(monthOf(now)).toBe('November 2026')
})

test.each([
  [0, undefined],
  [5, undefined],
  [-5, undefined],
  [6, 'said 13:59'],
  [-6, 'said 14:11'],
  [24 * 60, 'said 22 Nov'],
])('R133: what was done %d minutes before it was heard of reads "%s"', (minutes, text) => {
  const iso = (time: number) => new Date(time).toISOString()
  expect(claimText({ at: iso(now), occurredAt: iso(before(minutes)) })).toBe(text)
  expect(claimText({ at: iso(now) })).toBeUndefined()
})

test.each([
  [60, '15:05 today'],
  [16 * 60 + 17, '06:22 tomorrow'],
  [40 * 60, '25 Nov, 06:05'],
])('what holds for %d minutes more holds until "%s"', (minutes, text) => {
  expect(timeAhead(now + minutes * 60_000, now)).toBe(text)
})

test.each([
  [60, '15:05', 'at 15:05'],
  [48 * 60, 'Wed 14:05', 'on Wed 14:05'],
  [-24 * 60, 'Sun 14:05', 'on Sun 14:05'],
  [7 * 24 * 60, '30 Nov, 14:05', 'on 30 Nov, 14:05'],
])('what is due in %d minutes is due "%s"', (minutes, text, sentence) => {
  expect(dueTime(now + minutes * 60_000, now)).toBe(text)
  expect(atDueTime(now + minutes * 60_000, now)).toBe(sentence)
})

test.each([
  [600_000, '10:00'],
  [59_001, '1:00'],
  [1, '0:01'],
  [0, '0:00'],
  [-5_000, '0:00'],
])('of %d milliseconds "%s" is left', (left, text) => expect(countdown(left)).toBe(text))
