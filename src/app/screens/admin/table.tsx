import { type ReactNode, useState } from 'react'
import { pageSize } from '#domain/product.ts'
import { Button } from '../../components/button.tsx'
import { Icon } from '../../components/icons.tsx'
import { SearchBox } from './search-box.tsx'

export type Column<T> = {
  name: string
  cell: (row: T) => ReactNode
  /** What it is sorted by, when it can be. */
  sortBy?: (row: T) => string | number
}

/** Rows to search, sort and page through: a table where there is room, cards on a phone. */
export function DataTable<T>(about: {
  label: string
  rows: readonly T[]
  columns: readonly Column<T>[]
  keyOf: (row: T) => string
  /** Everything of a row that a search may find. */
  textOf: (row: T) => string
  search: string
  empty: string
  card: (row: T) => ReactNode
  onOpen: (row: T) => void
}) {
  const { rows, columns, keyOf, textOf, onOpen } = about
  const [text, setText] = useState('')
  const [page, setPage] = useState(0)
  const [sort, setSort] = useState<{ name: string; down: boolean }>()
  const found = sorted(
    rows.filter((row) => textOf(row).toLowerCase().includes(text.trim().toLowerCase())),
    columns.find(({ name }) => name === sort?.name)?.sortBy,
    sort?.down ?? false,
  )
  const last = Math.max(0, Math.ceil(found.length / pageSize) - 1)
  const at = Math.min(page, last)
  const shown = found.slice(at * pageSize, (at + 1) * pageSize)
  const search = (typed: string) => {
    setText(typed)
    setPage(0)
  }
  return (
    <div className="grid gap-3">
      <SearchBox label={about.search} value={text} onChange={search} />
      <table className="hidden w-full border-separate border-spacing-0 overflow-hidden rounded-card border border-line bg-card text-left md:table">
        <caption className="sr-only">{about.label}</caption>
        <thead>
          <tr>
            {columns.map(({ name, sortBy }) => (
              <th
                key={name}
                scope="col"
                aria-sort={
                  sort?.name === name ? (sort.down ? 'descending' : 'ascending') : undefined
                }
                className="border-b border-line px-4 text-sm font-semibold text-soft"
              >
                {sortBy ? (
                  <button
                    type="button"
                    className="flex min-h-12 items-center gap-1.5"
                    onClick={() =>
                      setSort({ name, down: sort?.name === name ? !sort.down : false })
                    }
                  >
                    {name}
                    <Icon name="sort" className="size-4" />
                  </button>
                ) : (
                  <span className="flex min-h-12 items-center">{name}</span>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr
              key={keyOf(row)}
              className="cursor-pointer hover:bg-green-wash"
              onClick={() => onOpen(row)}
            >
              {columns.map(({ name, cell }, column) => (
                <td key={name} className="border-b border-line px-4 py-2">
                  {column === 0 ? (
                    // The row's click, for a keyboard.
                    <button
                      type="button"
                      className="min-h-12 text-left font-semibold"
                      onClick={(event) => {
                        event.stopPropagation()
                        onOpen(row)
                      }}
                    >
                      {cell(row)}
                    </button>
                  ) : (
                    cell(row)
                  )}
                </td>
              ))}
            </tr>
          ))}
          {shown.length === 0 && (
            <tr>
              <td colSpan={columns.length} className="px-4 py-8 text-center text-soft">
                No results.
              </td>
            </tr>
          )}
        </tbody>
      </table>
      <div className="grid gap-3 md:hidden">
        {shown.map((row) => (
          <button
            key={keyOf(row)}
            type="button"
            className="card grid gap-1.5 text-left"
            onClick={() => onOpen(row)}
          >
            {about.card(row)}
          </button>
        ))}
        {shown.length === 0 && <p className="card py-8 text-center text-soft">{about.empty}</p>}
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-soft" role="status">
          Showing {found.length === 0 ? 0 : at * pageSize + 1} to {at * pageSize + shown.length} of{' '}
          {found.length} results
        </p>
        <div className="flex gap-2">
          <Button look="line" disabled={at === 0} onClick={() => setPage(at - 1)}>
            Previous
          </Button>
          <Button look="line" disabled={at === last} onClick={() => setPage(at + 1)}>
            Next
          </Button>
        </div>
      </div>
    </div>
  )
}

function sorted<T>(rows: T[], by: Column<T>['sortBy'], down: boolean): T[] {
  if (!by) return rows
  const way = down ? -1 : 1
  return rows.toSorted((a, b) => {
    const [one, two] = [by(a), by(b)]
    if (typeof one === 'number' && typeof two === 'number') return way * (one - two)
    return way * String(one).localeCompare(String(two))
  })
}
