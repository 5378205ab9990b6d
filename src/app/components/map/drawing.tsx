import { type MouseEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { distancesOf } from '#domain/zones/roads.ts'
import type { MapProps } from './content.ts'
import { focusOf, type Layout, layoutOf, projectionOf, type Size } from './layout.ts'
import { mapText } from './map-text.ts'

/** The map of `ZoneMap`, in the size of its parent. */
export default function Drawing({ onPick, ...content }: MapProps) {
  const box = useRef<SVGSVGElement>(null)
  const size = useSizeOf(box)
  const distance = useMemo(() => distancesOf(content.zones), [content.zones])
  const projection = size && projectionOf(focusOf(content, distance), size)
  const pick = ({ clientX, clientY }: MouseEvent) => {
    const corner = box.current?.getBoundingClientRect()
    if (corner && projection)
      onPick?.(projection.toPosition({ x: clientX - corner.x, y: clientY - corner.y }))
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: where a tap picks a position, it can be typed, too.
    <svg
      ref={box}
      role="img"
      aria-label={mapText(content, distance)}
      className={`block size-full select-none ${onPick ? 'cursor-crosshair' : ''}`}
      style={{ fontSize: 11 * (size?.text ?? 1) }}
      onClick={pick}
    >
      {projection && <Shapes layout={layoutOf(content, distance, projection, size)} />}
    </svg>
  )
}

/** Larger letters would leave room for hardly a name. */
const most = 1.6

function useSizeOf(box: { current: Element | null }): Size | undefined {
  const [size, setSize] = useState<Size>()
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => {
      const { width, height } = element.getBoundingClientRect()
      const text = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16
      setSize(width > 0 && height > 0 ? { width, height, text: Math.min(text, most) } : undefined)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])
  return size
}

/** What stands in front comes last. */
function Shapes({ layout }: { layout: Layout }) {
  return (
    <>
      <path d={layout.sea} className="fill-teal-wash stroke-edge" />
      <path d={layout.roads} className="fill-none stroke-line" strokeWidth={1.5} />
      <path
        d={layout.way}
        className="fill-none stroke-green"
        strokeWidth={5}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      {layout.arrows.map(({ line, head }) => (
        <g key={line} className="stroke-clay-strong">
          <path d={line} className="fill-none" strokeWidth={2} />
          <path d={head} className="fill-clay-strong" />
        </g>
      ))}
      {layout.names.map(({ name, x, y, anchor, isStrong }) => (
        <text
          key={name}
          x={x}
          y={y}
          textAnchor={anchor}
          className={`stroke-paper [paint-order:stroke] ${isStrong ? 'fill-ink font-bold' : 'fill-soft'}`}
          strokeWidth={3}
          strokeLinejoin="round"
        >
          {name}
        </text>
      ))}
      <Dots dots={layout.dots} />
      {layout.badges.map(({ text, x, y, width, height }) => (
        <g key={text}>
          <rect {...{ x, y, width, height }} rx={8} className="fill-clay-strong stroke-paper" />
          <text
            x={x + width / 2}
            y={y + height / 2}
            dy="0.36em"
            textAnchor="middle"
            className="fill-paper text-[0.9em] font-bold"
          >
            {text}
          </text>
        </g>
      ))}
      {layout.pins.map(({ label, x, y }) => (
        <path
          key={label}
          d={`M${x} ${y}c-3-5-6-8-6-12a6 6 0 0112 0c0 4-3 7-6 12z`}
          className="fill-red stroke-paper"
        />
      ))}
    </>
  )
}

/** From so many on a number is red. */
const many = 5

const Dots = ({ dots }: Pick<Layout, 'dots'>) =>
  dots.map(({ name, x, y, radius, isStrong, count }) =>
    count ? (
      <g key={name}>
        <circle cx={x} cy={y} r={radius} className={count < many ? 'fill-gold' : 'fill-red'} />
        <text
          x={x}
          y={y}
          dy="0.36em"
          textAnchor="middle"
          className={`font-bold ${count < many ? 'fill-on-gold' : 'fill-paper'}`}
        >
          {count}
        </text>
      </g>
    ) : (
      <circle
        key={name}
        cx={x}
        cy={y}
        r={radius}
        className={isStrong ? 'fill-ink stroke-paper' : 'fill-soft'}
        strokeWidth={2}
      />
    ),
  )
