import {
  type ColumnDef,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import type { ReactNode } from 'react'
import { Icon, type IconName } from '../../../components/text/icon.tsx'
import { ListFrame } from './list-frame.tsx'
import type { ListView } from './use-listing.ts'

const features = tableFeatures({ rowSortingFeature })

/** The `id` of a column that can be sorted is the name the server sorts by. */
export type Columns<T extends object> = ColumnDef<typeof features, T>[]

type About<T extends object> = {
  label: string
  view: ListView<T>
  columns: Columns<T>
  keyOf: (row: T) => string
  search: string
  loading: string
  icon: IconName
  /** What a narrow screen says when there is nothing. */
  empty: string
  /** What a wide one says, where that is not "No results.". */
  emptyTable?: string
  card: (row: T) => ReactNode
  /** Left out where a row has nothing more to show. */
  onOpen?: (row: T) => void
  tools?: ReactNode
}

/** Rows to search, sort and page through: a table where there is room, cards on a phone. */
export function DataTable<T extends object>(about: About<T>) {
  const { view, search, loading, icon, tools } = about
  return (
    <ListFrame view={view} search={search} loading={loading} icon={icon} tools={tools}>
      {(rows) => (
        <>
          <Wide about={about} rows={rows} />
          <div className="grid gap-3 md:hidden">
            {rows.map((row) => (
              <Card key={about.keyOf(row)} onOpen={about.onOpen && (() => about.onOpen?.(row))}>
                {about.card(row)}
              </Card>
            ))}
            {rows.length === 0 && <p className="card py-8 text-center text-soft">{about.empty}</p>}
          </div>
        </>
      )}
    </ListFrame>
  )
}

function Card({ onOpen, children }: { onOpen?: () => void; children: ReactNode }) {
  const look = 'card grid gap-1.5 text-left'
  if (!onOpen) return <article className={look}>{children}</article>
  return (
    <button type="button" className={look} onClick={onOpen}>
      {children}
    </button>
  )
}

const sortingOf = (sort: string): SortingState =>
  sort === '' ? [] : [{ id: sort.replace(/^-/, ''), desc: sort.startsWith('-') }]

function Wide<T extends object>({ about, rows }: { about: About<T>; rows: T[] }) {
  const { view, columns, keyOf, onOpen } = about
  const sorting = sortingOf(view.sort)
  const table = useTable({
    features,
    columns,
    data: rows,
    getRowId: keyOf,
    manualSorting: true,
    state: { sorting },
    onSortingChange: (change) => {
      const [first] = typeof change === 'function' ? change(sorting) : change
      view.setSort(first ? `${first.desc ? '-' : ''}${first.id}` : '')
    },
  })
  return (
    <table className="hidden w-full border-separate border-spacing-0 overflow-hidden rounded-card border border-line bg-card text-left md:table">
      <caption className="sr-only">{about.label}</caption>
      <thead>
        {table.getHeaderGroups().map(({ id, headers }) => (
          <tr key={id}>
            {headers.map((header) => {
              const sorted = header.column.getIsSorted()
              return (
                <th
                  key={header.id}
                  scope="col"
                  aria-sort={sorted ? (sorted === 'desc' ? 'descending' : 'ascending') : undefined}
                  className="border-b border-line px-4 text-sm font-semibold text-soft"
                >
                  {header.column.getCanSort() ? (
                    <button
                      type="button"
                      className={`flex min-h-12 items-center gap-1.5 ${sorted ? 'text-ink' : ''}`}
                      onClick={header.column.getToggleSortingHandler()}
                    >
                      <table.FlexRender header={header} />
                      <Icon name="sort" className="size-4" />
                    </button>
                  ) : (
                    <span className="flex min-h-12 items-center">
                      <table.FlexRender header={header} />
                    </span>
                  )}
                </th>
              )
            })}
          </tr>
        ))}
      </thead>
      <tbody>
        {table.getRowModel().rows.map((row) => (
          <tr
            key={row.id}
            className={onOpen && 'cursor-pointer hover:bg-green-wash'}
            onClick={() => onOpen?.(row.original)}
          >
            {row.getAllCells().map((cell, column) => (
              <td key={cell.id} className="border-b border-line px-4 py-2">
                {column === 0 && onOpen ? (
                  // The row's click, for a keyboard.
                  <button
                    type="button"
                    className="min-h-12 text-left font-semibold"
                    onClick={(event) => {
                      event.stopPropagation()
                      onOpen(row.original)
                    }}
                  >
                    <table.FlexRender cell={cell} />
                  </button>
                ) : (
                  <table.FlexRender cell={cell} />
                )}
              </td>
            ))}
          </tr>
        ))}
        {rows.length === 0 && (
          <tr>
            <td colSpan={columns.length} className="px-4 py-8 text-center text-soft">
              {about.emptyTable ?? 'No results.'}
            </td>
          </tr>
        )}
      </tbody>
    </table>
  )
}
