import { type Status, timelineStatuses } from '#domain/deliveries/delivery.ts'
import { fullPrice, shortPrice } from '#domain/money.ts'
import type { TrendDay } from '#store/queries/admin/admin.ts'
import { durationText } from './trends-table.tsx'

/** The name of a colour's CSS variable. */
export type PlotColour = string

type Line<D> = {
  label: string
  colour: PlotColour
  /** Null on a day without a value. */
  of: (day: D) => number | null
}

/** A day with what is plotted of it. */
export type Day = { day: string }

export type Plot<D extends Day = TrendDay> = {
  /** Bars are stacked in this order, the first at the bottom. */
  lines: Line<D>[]
  as: 'bars' | 'line'
  /** Allowed steps of the scale; uPlot chooses them by default. */
  incrs?: number[]
  format: (value: number) => string
  /** The figure of a line over all days, or of one day. */
  total: (days: D[], of: (day: D) => number | null) => string
  summary: (days: D[]) => string
}

/** The colours of the statuses' tags, strong enough for bars (`plot.css`). */
const statusColours: Record<Status, PlotColour> = {
  Pending: '--plot-pending',
  Accepted: '--plot-accepted',
  'Picked Up': '--plot-picked-up',
  Delivered: '--plot-delivered',
  Approved: '--plot-approved',
  Cancelled: '--plot-cancelled',
}

const stackOrder: Status[] = [...[...timelineStatuses].reverse(), 'Cancelled']
/** Of a line, over these days. */
export const sum = <D>(days: D[], of: (day: D) => number | null): number =>
  days.reduce((all, day) => all + (of(day) ?? 0), 0)

export const statusByDay: Plot = {
  as: 'bars',
  lines: stackOrder.map((status) => ({
    label: status,
    colour: statusColours[status],
    of: ({ statuses }) => statuses[status] ?? 0,
  })),
  incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000],
  format: (count) => count.toLocaleString('en-GH'),
  total: (days, of) => sum(days, of).toLocaleString('en-GH'),
  summary: (days) =>
    stackOrder
      .map((status) => `${status}: ${sum(days, ({ statuses }) => statuses[status] ?? 0)}`)
      .join(', '),
}

export const moneyByDay: Plot = {
  as: 'bars',
  lines: [{ label: 'Revenue', colour: '--plot-approved', of: ({ revenue }) => revenue }],
  format: shortPrice,
  total: (days, of) => fullPrice(sum(days, of)),
  summary: (days) => `${fullPrice(sum(days, ({ revenue }) => revenue))} in all`,
}

export const timeByDay: Plot = {
  as: 'line',
  lines: [
    {
      label: 'Typical time',
      colour: '--plot-picked-up',
      of: ({ minutes }) => minutes ?? null,
    },
  ],
  incrs: [1, 5, 10, 15, 30, 60, 120, 240, 480, 720, 1440, 2880, 7200],
  format: durationText,
  total: (days, of) => {
    const last = days.map(of).findLast((minutes) => minutes !== null)
    return last == null ? 'None' : durationText(last)
  },
  summary: (days) => {
    const last = days.findLast(({ minutes }) => minutes !== undefined)
    return last?.minutes === undefined
      ? 'Nothing delivered in these days'
      : `Half of the deliveries of ${last.day} took ${durationText(last.minutes)} or less`
  },
}
