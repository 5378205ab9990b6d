import { type Status, timelineStatuses } from '#domain/deliveries/delivery.ts'
import { fullPrice, shortPrice } from '#domain/money.ts'
import type { TrendDay } from '#store/queries/admin.ts'
import { durationText } from './trends-table.tsx'

/** A colour's CSS variable and its opacity, 1 by default. */
export type PlotColour = { token: string; alpha?: number }

type Line = {
  label: string
  colour: PlotColour
  /** Null on a day without a value. */
  of: (day: TrendDay) => number | null
}

export type Plot = {
  /** Bars are stacked in this order, the first at the bottom. */
  lines: Line[]
  as: 'bars' | 'line'
  /** Allowed steps of the scale; uPlot chooses them by default. */
  incrs?: number[]
  format: (value: number) => string
  summary: (days: TrendDay[]) => string
}

const statusColours: Record<Status, PlotColour> = {
  Pending: { token: '--gold' },
  Accepted: { token: '--gold', alpha: 0.5 },
  'Picked Up': { token: '--edge' },
  Delivered: { token: '--green', alpha: 0.5 },
  Approved: { token: '--green' },
  Cancelled: { token: '--red' },
}

const stackOrder: Status[] = [...[...timelineStatuses].reverse(), 'Cancelled']
const sum = (days: TrendDay[], of: (day: TrendDay) => number) =>
  days.reduce((all, day) => all + of(day), 0)

export const statusByDay: Plot = {
  as: 'bars',
  lines: stackOrder.map((status) => ({
    label: status,
    colour: statusColours[status],
    of: ({ statuses }) => statuses[status] ?? 0,
  })),
  incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000],
  format: (count) => count.toLocaleString('en-GH'),
  summary: (days) =>
    stackOrder
      .map((status) => `${status}: ${sum(days, ({ statuses }) => statuses[status] ?? 0)}`)
      .join(', '),
}

export const moneyByDay: Plot = {
  as: 'bars',
  lines: [{ label: 'Revenue', colour: { token: '--green' }, of: ({ revenue }) => revenue }],
  format: shortPrice,
  summary: (days) => `${fullPrice(sum(days, ({ revenue }) => revenue))} in all`,
}

export const timeByDay: Plot = {
  as: 'line',
  lines: [{ label: 'Median', colour: { token: '--red' }, of: ({ minutes }) => minutes ?? null }],
  incrs: [1, 5, 10, 15, 30, 60, 120, 240, 480, 720, 1440, 2880, 7200],
  format: durationText,
  summary: (days) => {
    const last = days.findLast(({ minutes }) => minutes !== undefined)
    return last?.minutes === undefined
      ? 'Nothing was delivered in these days'
      : `Half of the deliveries of ${last.day} took ${durationText(last.minutes)} or less`
  },
}
