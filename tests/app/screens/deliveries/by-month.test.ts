import { expect, test, vi } from 'vitest'
import { groupByMonth, searchFor } from '#app/screens/deliveries/by-month.ts'
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

const ended = (more: Partial<DeliveryRow['view']>) => ({
  view: deliveryOf('e', { createdAt: '2026-11-19T10:00:00Z', ...more } as never),
})

test('what is under way comes first, and the past by month in the order it has, with what was paid', () => {
  const rows = [
    row('d', '2026-11-20T10:00:00Z'),
    row('e', '2026-11-19T10:00:00Z', ended({ status: 'Cancelled', driverShare: 20.5 })),
    row('c', '2026-11-02T10:00:00Z', { active: 'delivery', ...ended({ status: 'Pending' }) }),
    row('b', '2026-10-09T10:00:00Z'),
    row('a', '2025-10-01T10:00:00Z'),
    row('new', '2026-11-21T10:00:00Z', { known: false, ...ended({ status: 'Pending' }) }),
  ]
  expect(
    groupByMonth(rows).map(({ title, rows: found, paid }) => [
      title,
      paid,
      found.map(({ ID }) => ID),
    ]),
  ).toEqual([
    ['Active', 0, ['c', 'new']],
    ['November 2026', 80.5, ['d', 'e']],
    ['October 2026', 60, ['b']],
    ['October 2025', 60, ['a']],
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

test.each(['laptop', 'OSU', 'approved', 'soma-mff6', ' tema ', 'osu LAPTOP', 'lapṫop oṡu'])(
  'a search finds "%s"',
  (text) => {
    const found = row('0199a0b2-5d3e-7c11-9a53-3f2b1e4a3de6', '2026-11-20T10:00:00Z')
    expect(searchFor(text)(found)).toBe(true)
    expect(searchFor('kumasi')(found)).toBe(false)
    expect(searchFor('osu kumasi')(found)).toBe(false)
  },
)

test('however much is typed, each of 2,000 deliveries is folded once', () => {
  const rows = Array.from({ length: 2_000 }, (_, at) => row(String(at), '2026-11-20T10:00:00Z'))
  const folds = vi.spyOn(String.prototype, 'normalize')
  for (const typed of ['l', 'la', 'lap', 'laptop osu'])
    expect(rows.filter(searchFor(typed))).toHaveLength(2_000)
  expect(folds).toHaveBeenCalledTimes(2_000 + 4)
})
