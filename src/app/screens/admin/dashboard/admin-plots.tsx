import type { TrendDay } from '#store/queries/admin/admin.ts'
import { PlotFigure } from './plot-figure.tsx'
import { moneyByDay, statusByDay, timeByDay } from './plot-kinds.ts'

/** Three plots of the same days. Screen readers get a summary of each, and the table. */
export default function Plots({ days }: { days: TrendDay[] }) {
  return (
    <div className="grid gap-4 xl:grid-cols-3">
      <PlotFigure title="Deliveries by day and status" plot={statusByDay} days={days} />
      <PlotFigure title="Revenue by day" plot={moneyByDay} days={days} />
      <PlotFigure title="Time from Pending to Delivered" plot={timeByDay} days={days} />
    </div>
  )
}
