import { type Status, timelineStatuses } from '#domain/delivery.ts'
import { fullPrice, shortPrice } from '#domain/money.ts'
import type { TrendDay } from '#store/queries/admin.ts'
import { spell } from './trends-table.tsx'

/** A design token, and how much of it shows: 1 for all. */
export type Ink = { token: string; alpha?: number }

export type Line = {
  label: string
  ink: Ink
  /** Nothing where there was nothing to measure. */
  of: (day: TrendDay) => number | null
}

export type Plot = {
  /** Bars stand on each other in this order, from below. */
  lines: Line[]
  as: 'bars' | 'line'
  /** Between two marks of the scale; whatever is round when missing. */
  incrs?: number[]
  say: (value: number) => string
  inWords: (days: TrendDay[]) => string
}

const inks: Record<Status, Ink> = {
  Pending: { token: '--gold' },
  Accepted: { token: '--gold', alpha: 0.5 },
  'Picked Up': { token: '--edge' },
  Delivered: { token: '--green', alpha: 0.5 },
  Approved: { token: '--green' },
  Cancelled: { token: '--clay' },
}

const upwards: Status[] = [...[...timelineStatuses].reverse(), 'Cancelled']
const sum = (days: TrendDay[], of: (day: TrendDay) => number) =>
  days.reduce((all, day) => all + of(day), 0)

export const statusByDay: Plot = {
  as: 'bars',
  lines: upwards.map((status) => ({
    label: status,
    ink: inks[status],
    of: ({ statuses }) => statuses[status] ?? 0,
  })),
  incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000],
  say: (count) => count.toLocaleString('en-GH'),
  inWords: (days) =>
    upwards
      .map((status) => `${status}: ${sum(days, ({ statuses }) => statuses[status] ?? 0)}`)
      .join(', '),
}

export const moneyByDay: Plot = {
  as: 'bars',
  lines: [{ label: 'Revenue', ink: { token: '--green' }, of: ({ revenue }) => revenue }],
  say: shortPrice,
  inWords: (days) => `${fullPrice(sum(days, ({ revenue }) => revenue))} in all`,
}

export const timeByDay: Plot = {
  as: 'line',
  lines: [{ label: 'Median', ink: { token: '--clay' }, of: ({ minutes }) => minutes ?? null }],
  incrs: [1, 5, 10, 15, 30, 60, 120, 240, 480, 720, 1440, 2880, 7200],
  say: spell,
  inWords: (days) => {
    const last = days.findLast(({ minutes }) => minutes !== undefined)
    return last?.minutes === undefined
      ? 'Nothing was delivered in these days'
      : `Half of the deliveries of ${last.day} took ${spell(last.minutes)} or less`
  },
}
