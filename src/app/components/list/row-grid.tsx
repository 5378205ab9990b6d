import { type CSSProperties, memo, type ReactNode } from 'react'
import { firstPart, nextPart } from '../../hooks/lists/use-older-rows.ts'

type Props<T> = {
  rows: readonly T[]
  keyOf: (row: T) => string
  draw: (row: T) => ReactNode
  /** The usual height of a row, in CSS pixels: foreseen for rows that are not laid out. */
  height: number
}

/**
 * Rows of a list that may be long, in parts: of those that are off the screen the browser lays out and paints nothing,
 * and a part is drawn again only when a row of it is another object. `keyOf` and `draw` must stay the same functions.
 */
export function RowGrid<T>({ rows, keyOf, draw, height }: Props<T>) {
  const others = Math.max(0, Math.ceil((rows.length - firstPart) / nextPart))
  const parts = [
    rows.slice(0, firstPart),
    ...Array.from({ length: others }, (_, index) => {
      const start = firstPart + index * nextPart
      return rows.slice(start, start + nextPart)
    }),
  ]
  return (
    <div className="grid gap-2" style={{ '--row': `${height}px` } as CSSProperties}>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: A part is its place: a row that is added moves through all of them.
        <Part key={index} rows={part} keyOf={keyOf} draw={draw} isFirst={index === 0} />
      ))}
    </div>
  )
}

const Part = memo(DrawnPart, (before, after) => {
  const { rows, draw, keyOf } = after
  return (
    before.draw === draw &&
    before.keyOf === keyOf &&
    before.rows.length === rows.length &&
    before.rows.every((row, index) => row === rows[index])
  )
}) as typeof DrawnPart

type PartProps<T> = Omit<Props<T>, 'height'> & { isFirst: boolean }

function DrawnPart<T>({ rows, keyOf, draw, isFirst }: PartProps<T>) {
  // A part that is not full would have another height than the one foreseen.
  const isSkipped = !isFirst && rows.length === nextPart
  return (
    <div className={`grid gap-2 md:grid-cols-2 ${isSkipped ? 'off-screen-skipped' : ''}`}>
      {rows.map((row) => (
        <RowOf key={keyOf(row)} row={row} draw={draw} />
      ))}
    </div>
  )
}

/** A row's own component: drawing it may use hooks. */
const RowOf = memo(<T,>({ row, draw }: { row: T; draw: (row: T) => ReactNode }) => draw(row)) as <
  T,
>(props: {
  row: T
  draw: (row: T) => ReactNode
}) => ReactNode
