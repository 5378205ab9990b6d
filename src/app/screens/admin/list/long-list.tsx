import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'

type Cells = { title: string; text: string; side: string; note: string }

/** A list of any length in a box that scrolls; only the visible rows are drawn. */
export function LongList<T>(props: {
  rows: T[]
  keyOf: (row: T) => string
  cells: (row: T) => Cells
  onOpen: (row: T) => void
}) {
  const { rows, keyOf, cells, onOpen } = props
  const box = useRef<HTMLDivElement>(null)
  const { getTotalSize, getVirtualItems, measureElement } = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => 73,
    overscan: 6,
  })
  return (
    <div ref={box} className="card max-h-[70vh] overflow-y-auto overscroll-contain p-0">
      <ul className="relative" style={{ height: getTotalSize() }}>
        {getVirtualItems().map(({ index, start }) => {
          const row = rows[index]
          if (row === undefined) return null
          const { title, text, side, note } = cells(row)
          return (
            <li
              key={keyOf(row)}
              ref={measureElement}
              data-index={index}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              <button
                type="button"
                data-list-row
                onClick={() => onOpen(row)}
                className="flex w-full items-center justify-between gap-3 border-b border-line px-4 py-3 text-left hover:bg-green-wash"
              >
                <span className="grid min-w-0">
                  <strong>{title}</strong>
                  <span className="text-sm text-soft">{text}</span>
                </span>
                <span className="grid shrink-0 text-right">
                  <strong>{side}</strong>
                  <span className="text-sm text-soft">{note}</span>
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
