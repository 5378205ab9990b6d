import 'uplot/dist/uPlot.min.css'
import './plot.css'
import { useEffect, useRef } from 'react'
import type uPlot from 'uplot'
import type { TrendDay } from '#store/queries/admin.ts'
import { draw } from './plot.ts'
import { moneyByDay, type Plot, statusByDay, timeByDay } from './plot-kinds.ts'

/** Three pictures of the same days. The table beside them says the same to those who listen. */
export default function Plots({ days }: { days: TrendDay[] }) {
  return (
    <div className="grid gap-4 xl:grid-cols-3">
      <PlotFigure title="Deliveries by day and status" plot={statusByDay} days={days} />
      <PlotFigure title="Revenue by day" plot={moneyByDay} days={days} />
      <PlotFigure title="Time from Pending to Delivered" plot={timeByDay} days={days} />
    </div>
  )
}

const height = 210

function PlotFigure({ title, plot, days }: { title: string; plot: Plot; days: TrendDay[] }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const box = place.current
    if (!box) return
    let drawn: uPlot | undefined
    const redraw = () => {
      drawn?.destroy()
      drawn = draw(box, plot, days, { width: box.clientWidth, height })
    }
    redraw()
    const size = new ResizeObserver(() => {
      if (drawn && drawn.width !== box.clientWidth)
        drawn.setSize({ width: box.clientWidth, height })
    })
    size.observe(box)
    // A canvas keeps the colours it was drawn in.
    const theme = matchMedia('(prefers-color-scheme: dark)')
    theme.addEventListener('change', redraw)
    return () => {
      theme.removeEventListener('change', redraw)
      size.disconnect()
      drawn?.destroy()
    }
  }, [plot, days])
  return (
    <figure className="card grid min-w-0 content-start gap-2" aria-label={title}>
      <figcaption className="font-semibold">{title}</figcaption>
      <div ref={place} className="plot min-w-0" aria-hidden="true" />
      <p className="sr-only">{plot.summary(days)}</p>
    </figure>
  )
}
