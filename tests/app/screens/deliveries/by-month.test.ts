import { expect, test } from 'vitest'
import { groupByMonth, matches } from '#app/screens/deliveries/by-month.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { deliveryOf } from '../../../helpers/device/context.ts'

const row = (id: string, createdAt: string, more: Partial<DeliveryRow> = {}): DeliveryRow => ({
  account: 'ama',
  ID: id,
  view: deliveryOf(id, { createdAt, status: 'Approved' } as never),
  known: true,
  marks: [],
  ...more,
})

test('what is under way comes first, and the past by month in the order it has', () => {
  const rows = [
    row('d', '2026-11-20T10:00:00Z'),
    row('c', '2026-11-02T10:00:00Z', { active: 'delivery' }),
    row('b', '2026-10-09T10:00:00Z'),
    row('a', '2025-10-01T10:00:00Z'),
    row('new', '2026-11-21T10:00:00Z', { known: false }),
  ]
  expect(
    groupByMonth(rows).map(({ title, rows: found }) => [title, found.map(({ ID }) => ID)]),
  ).toEqual([
    ['Active', ['c', 'new']],
    ['November 2026', ['d']],
    ['October 2026', ['b']],
    ['October 2025', ['a']],
  ])
  expect(groupByMonth([])).toEqual([])
})

test('2,000 deliveries are grouped without losing one', () => {
  const rows = Array.from({ length: 2_000 }, (_, at) =>
    row(String(at), new Date(Date.UTC(2026, 0, 1) - at * 43_200_000).toISOString()),
  )
  const groups = groupByMonth(rows)
  expect(groups.flatMap(({ rows: found }) => found)).toHaveLength(2_000)
  expect(groups.length).toBeGreaterThan(30)
})

test.each(['laptop', 'OSU', 'approved', 'soma-mff6', ' tema '])('a search finds "%s"', (text) => {
  const found = row('0199a0b2-5d3e-7c11-9a53-3f2b1e4a3de6', '2026-11-20T10:00:00Z')
  expect(matches(found, text)).toBe(true)
  expect(matches(found, 'kumasi')).toBe(false)
})
