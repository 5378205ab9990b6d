import type { ReactNode } from 'react'
import type { IconName } from '../../../components/text/icon.tsx'
import { Icon } from '../../../components/text/icon.tsx'
import { ListFrame } from './list-frame.tsx'
import { directionOf, nextSort } from './sort.ts'
import type { ListView } from './use-listing.ts'

export type Column<T> = {
  /** Of a sortable column: the name that the server sorts by. */
  id: string
  header: string
  cell: (row: T) => ReactNode
  isSortable?: true
}

type Props<T> = {
  label: string
  view: ListView<T>
  columns: readonly Column<T>[]
  keyOf: (row: T) => string
  searchLabel: string
  loadingLabel: string
  icon: IconName
  /** Shown on a narrow screen when there are no rows. */
  empty: string
  /** Shown in the table when there are no rows; "No results." by default. */
  emptyTable?: string
  /** One row on a narrow screen. */
  card: (row: T) => ReactNode
  /** Left out where a row has no details. */
  onOpen?: (row: T) => void
  actions?: ReactNode
}

/** Rows with search, sorting and paging: a table on a wide screen, cards on a phone. */
export function DataTable<T>(props: Props<T>) {
  const { view, keyOf, onOpen } = props
  return (
    <ListFrame
      view={view}
      searchLabel={props.searchLabel}
      loadingLabel={props.loadingLabel}
      icon={props.icon}
      actions={props.actions}
    >
      {(rows) => (
        <>
          <Table {...props} rows={rows} />
          <div className="grid gap-3 md:hidden">
            {rows.map((row) => (
              <Card key={keyOf(row)} onOpen={onOpen && (() => onOpen(row))}>
                {props.card(row)}
              </Card>
            ))}
            {isEmpty(view) && <p className="card py-8 text-center text-soft">{props.empty}</p>}
          </div>
        </>
      )}
    </ListFrame>
  )
}

/** None at all: rows that only a newer app can show are counted above the list (S48). */
const isEmpty = <T,>({ page }: ListView<T>) => page?.rows.length === 0 && page.total === 0

function Card({ onOpen, children }: { onOpen?: () => void; children: ReactNode }) {
  const look = 'card grid gap-1.5 text-left'
  if (!onOpen) return <article className={look}>{children}</article>
  return (
    <button type="button" className={look} onClick={onOpen}>
      {children}
    </button>
  )
}

function Table<T>({ rows, ...props }: Props<T> & { rows: readonly T[] }) {
  const { view, columns, keyOf, onOpen } = props
  return (
    <table className="hidden w-full border-separate border-spacing-0 overflow-hidden rounded-card border border-line bg-card text-left md:table">
      <caption className="sr-only">{props.label}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <Header key={column.id} column={column} sort={view.sort} onSort={view.setSort} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={keyOf(row)} row={row} columns={columns} onOpen={onOpen} />
        ))}
        {isEmpty(view) && (
          <tr>
            <td colSpan={columns.length} className="px-4 py-8 text-center text-soft">
              {props.emptyTable ?? 'No results.'}
            </td>
          </tr>
        )}
      </tbody>
    </table>
  )
}

function Header<T>({
  column: { id, header, isSortable },
  sort,
  onSort,
}: {
  column: Column<T>
  sort: string
  onSort: (sort: string) => void
}) {
  const direction = directionOf(sort, id)
  return (
    <th
      scope="col"
      aria-sort={direction}
      className="border-b border-line px-4 text-sm font-semibold text-soft"
    >
      {isSortable ? (
        <button
          type="button"
          className={`flex min-h-12 items-center gap-1.5 ${direction ? 'text-ink' : ''}`}
          onClick={() => onSort(nextSort(sort, id))}
        >
          {header}
          <Icon name="sort" className="size-4" />
        </button>
      ) : (
        <span className="flex min-h-12 items-center">{header}</span>
      )}
    </th>
  )
}

function Row<T>({
  row,
  columns,
  onOpen,
}: {
  row: T
  columns: readonly Column<T>[]
  onOpen?: (row: T) => void
}) {
  return (
    <tr className={onOpen && 'cursor-pointer hover:bg-green-wash'} onClick={() => onOpen?.(row)}>
      {columns.map(({ id, cell }, index) => (
        <td key={id} className="border-b border-line px-4 py-2">
          {index === 0 && onOpen ? (
            // A keyboard cannot reach the row's click: this button does the same.
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
  )
}
