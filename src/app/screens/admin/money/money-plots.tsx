import { useMemo } from 'react'
import { fullPrice, shortPrice } from '#domain/money.ts'
import type { MoneyDay } from '#store/queries/admin/admin.ts'
import { PlotFigure } from '../dashboard/plot-figure.tsx'
import { type Plot, sum } from '../dashboard/plot-kinds.ts'
import type { FigureNames } from './money-texts.ts'

type Lines = Plot<MoneyDay>['lines']

const plotOf = (lines: Lines): Plot<MoneyDay> => ({
  as: 'bars',
  lines,
  format: shortPrice,
  total: (days, of) => fullPrice(sum(days, of)),
  summary: (days) =>
    lines.map(({ label, of }) => `${label}: ${fullPrice(sum(days, of))}`).join(', '),
})

/** What came in on each day, and what left. */
export default function MoneyPlots({ days, names }: { days: MoneyDay[]; names: FigureNames }) {
  const [given, left] = useMemo(() => plotsOf(names), [names])
  return (
    <div className="grid gap-4 xl:grid-cols-2">
      <PlotFigure title={`${names.day} by day`} plot={given} days={days} />
      <PlotFigure title={`${names.out} by day`} plot={left} days={days} />
    </div>
  )
}

const plotsOf = (names: FigureNames) =>
  [
    plotOf([{ label: names.day, colour: '--plot-pending', of: ({ held }) => held }]),
    plotOf([
      { label: names.paidOut, colour: '--plot-approved', of: ({ paidOut }) => paidOut },
      { label: names.fees, colour: '--plot-accepted', of: ({ fees }) => fees },
      { label: names.refunded, colour: '--plot-cancelled', of: ({ refunded }) => refunded },
    ]),
  ] as const
