import 'uplot/dist/uPlot.min.css'
import './plot.css'
import { useEffect, useRef, useState } from 'react'
import type uPlot from 'uplot'
import { draw, labelOf } from './plot.ts'
import type { Day, Plot } from './plot-kinds.ts'

const height = 190

/** One plot of these days. Screen readers get a summary of it. */
export function PlotFigure<D extends Day>(props: { title: string; plot: Plot<D>; days: D[] }) {
  const { title, plot, days } = props
  const frame = useRef<HTMLDivElement>(null)
  const [day, setDay] = useState<number>()
  useEffect(() => {
    const box = frame.current
    if (!box) return
    let drawn: uPlot | undefined
    const redraw = () => {
      drawn?.destroy()
      drawn = draw(box, plot, days, { width: box.clientWidth, height }, setDay)
    }
    redraw()
    const size = new ResizeObserver(() => {
      if (drawn && drawn.width !== box.clientWidth)
        drawn.setSize({ width: box.clientWidth, height })
    })
    size.observe(box)
    // A canvas does not follow a change of the colour scheme by itself.
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
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-2 font-semibold">
        {title}
        <span aria-hidden="true" className="text-sm font-normal whitespace-nowrap text-soft">
          {day === undefined ? `${days.length} days` : labelOf(days, day)}
        </span>
      </figcaption>
      <div ref={frame} className="plot min-w-0" style={{ minHeight: height }} aria-hidden="true" />
      <Legend plot={plot} days={day === undefined ? days : days.slice(day, day + 1)} />
      <p className="sr-only">{plot.summary(days)}</p>
    </figure>
  )
}

/** What each colour means, with its figure: of all days, or of the one under the pointer. */
function Legend<D extends Day>({ plot, days }: { plot: Plot<D>; days: D[] }) {
  return (
    <ul aria-hidden="true" className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {[...plot.lines].reverse().map(({ label, colour, of }) => (
        <li key={label} className="flex flex-wrap items-center gap-x-1.5">
          <span className="size-3 rounded-[3px]" style={{ background: `var(${colour})` }} />
          {label}
          <strong className="tabular-nums">{plot.total(days, of)}</strong>
        </li>
      ))}
    </ul>
  )
}
