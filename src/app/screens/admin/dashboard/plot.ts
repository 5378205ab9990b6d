import uPlot from 'uplot'
import type { Day, Plot, PlotColour } from './plot-kinds.ts'
import { dayName } from './trends-table.tsx'

/** Draws a plot into `box`, in the page's current colours. Sizes are in CSS pixels. */
export function draw<D extends Day>(
  box: HTMLElement,
  plot: Plot<D>,
  days: D[],
  size: { width: number; height: number },
  /** Called with the day under the pointer; with undefined when it has left. */
  onDay: (index: number | undefined) => void,
): uPlot {
  const style = getComputedStyle(document.documentElement)
  const colour = (token: PlotColour) => style.getPropertyValue(token).trim()
  const raw = plot.lines.map(({ of }) => days.map(of))
  const heights = plot.as === 'bars' ? stacked(raw) : raw
  // A stacked bar is drawn from zero to its top, so the highest is drawn first and the lower ones over
  // it.
  const order = plot.lines.map((_, index) => index).reverse()
  const bars = uPlot.paths.bars?.({ size: [0.78, 40], radius: 0.15 })
  const axis = {
    stroke: colour('--soft'),
    font: `12px ${style.fontFamily}`,
    ticks: { show: false },
    grid: { stroke: colour('--line'), width: 1 },
  }
  return new uPlot(
    {
      ...size,
      cursor: { points: { show: false }, drag: { x: false, y: false } },
      legend: { show: false },
      hooks: { setCursor: [({ cursor: { idx } }) => onDay(idx ?? undefined)] },
      scales: { x: { time: false, range: [-0.6, days.length - 0.4] }, y: { range: upFrom } },
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: 30,
          space: 64,
          splits: () => marked(days.length),
          values: (_, at) => at.map((each) => labelOf(days, each)),
        },
        { ...axis, size: 78, incrs: plot.incrs, values: (_, at) => at.map(plot.format) },
      ],
      series: [
        {},
        ...order.map((line): uPlot.Series => {
          const ink = colour(plot.lines[line]?.colour ?? '--soft')
          if (plot.as === 'line')
            return {
              stroke: ink,
              width: 2,
              spanGaps: true,
              points: { show: true, size: 6, fill: ink },
            }
          return { fill: ink, width: 0, paths: bars, points: { show: false } }
        }),
      ],
    },
    [days.map((_, index) => index), ...order.map((line) => heights[line] ?? [])],
    box,
  )
}

/** The days with a label: today, and every tenth before it. */
const marked = (count: number) =>
  Array.from({ length: Math.ceil(count / 10) }, (_, n) => count - 1 - 10 * n).reverse()

/** The newest day is today, in Ghana. */
export const labelOf = (days: Day[], at: number) =>
  at === days.length - 1 ? 'Today' : dayName(days[at]?.day ?? '')
/** From zero to 8 % above the highest value, and at least to 1. */
const upFrom = (_: uPlot, __: number | null, most: number | null): [number, number] => [
  0,
  Math.max(1, (most ?? 0) * 1.08),
]

function stacked(raw: (number | null)[][]): number[][] {
  let below: number[] = []
  return raw.map((row) => {
    below = row.map((value, at) => (below[at] ?? 0) + (value ?? 0))
    return below
  })
}
