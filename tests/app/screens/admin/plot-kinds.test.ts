import { expect, test } from 'vitest'
import { moneyByDay, statusByDay, timeByDay } from '#app/screens/admin/dashboard/plot-kinds.ts'
import { dayName, durationText } from '#app/screens/admin/dashboard/trends-table.tsx'

const statuses = {
  Pending: 1,
  Accepted: 0,
  'Picked Up': 2,
  Delivered: 0,
  Approved: 3,
  Cancelled: 1,
}
const days = [
  { day: '2026-11-20', statuses, revenue: 60.5, delivered: 2, minutes: 95 },
  { day: '2026-11-21', statuses, revenue: 10, delivered: 0 },
]

test('each plot has a summary in words', () => {
  expect(statusByDay.summary(days)).toBe(
    'Approved: 6, Delivered: 0, Picked Up: 4, Accepted: 0, Pending: 2, Cancelled: 2',
  )
  expect(moneyByDay.summary(days)).toBe('GH₵ 70.50 in all')
  expect(timeByDay.summary(days)).toContain('1 h 35 min or less')
  expect(timeByDay.summary([])).toBe('Nothing delivered in these days')
})

test('a day without deliveries has no duration, rather than zero', () => {
  expect(days.map((day) => timeByDay.lines[0]?.of(day))).toEqual([95, null])
})

test('days are in UTC, and durations in hours and minutes', () => {
  expect(dayName('2026-11-01')).toBe('1 Nov')
  expect([5, 60, 125].map(durationText)).toEqual(['5 min', '1 h', '2 h 5 min'])
})
