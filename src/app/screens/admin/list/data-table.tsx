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
  /** Numbers stand on the right, digit under digit. */
  isNumber?: true
  /** Left out while a row's panel stands beside the table. */
  isExtra?: true
}

type Props<T> = {
  label: string
  /** It needs a desktop's width: narrower screens show cards. */
  isWide?: true
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
  /** The key of the row whose panel is open. */
  open?: string
  actions?: ReactNode
  /** Above the list: chips and filters. */
  filters?: ReactNode
  /** Beside the list: the panel of the open row. */
  panel?: ReactNode
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
      filters={props.filters}
      panel={props.panel}
    >
      {(rows) => (
        <>
          <Table {...props} rows={rows} />
          <div className={`grid gap-2 ${props.isWide ? 'sm:grid-cols-2 xl:hidden' : 'md:hidden'}`}>
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
  const look = 'card grid min-w-0 gap-1 py-3 text-left [overflow-wrap:anywhere]'
  if (!onOpen) return <article className={look}>{children}</article>
  return (
    <button type="button" data-list-row className={look} onClick={onOpen}>
      {children}
    </button>
  )
}

function Table<T>({ rows, ...props }: Props<T> & { rows: readonly T[] }) {
  const { view, keyOf, onOpen } = props
  const columns = props.columns.filter(({ isExtra }) => !isExtra || !props.panel)
  return (
    <table
      className={`hidden w-full border-separate border-spacing-0 overflow-hidden rounded-card border border-line bg-card text-left text-[0.9375rem] ${props.isWide ? 'xl:table' : 'md:table'}`}
    >
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
          <Row
            key={keyOf(row)}
            row={row}
            columns={columns}
            onOpen={onOpen}
            isOpen={keyOf(row) === props.open}
          />
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
  column: { id, header, isSortable, isNumber },
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
      className={`border-b border-line px-2.5 text-sm font-semibold whitespace-nowrap text-soft first:pl-3.5 ${isNumber ? 'text-right' : ''}`}
    >
      {isSortable ? (
        <button
          type="button"
          className={`inline-flex min-h-11 items-center gap-1.5 ${direction ? 'text-ink' : ''}`}
          onClick={() => onSort(nextSort(sort, id))}
        >
          {header}
          {direction ? (
            <span aria-hidden="true">{direction === 'ascending' ? '↑' : '↓'}</span>
          ) : (
            <Icon name="sort" className="size-4" />
          )}
        </button>
      ) : (
        <span className="inline-flex min-h-11 items-center">{header}</span>
      )}
    </th>
  )
}

function Row<T>({
  row,
  columns,
  onOpen,
  isOpen,
}: {
  row: T
  columns: readonly Column<T>[]
  onOpen?: (row: T) => void
  isOpen: boolean
}) {
  const look = `${onOpen ? 'cursor-pointer hover:bg-green-wash' : ''} ${isOpen ? 'bg-green-wash' : ''}`
  return (
    <tr className={look} onClick={() => onOpen?.(row)}>
      {columns.map(({ id, cell, isNumber }, index) => (
        <td
          key={id}
          className={`h-11 border-b border-line px-2.5 first:pl-3.5 ${isNumber ? 'text-right font-semibold tabular-nums' : ''}`}
        >
          {index === 0 && onOpen ? (
            // A keyboard cannot reach the row's click: this button does the same.
            <button
              type="button"
              data-list-row
              aria-expanded={isOpen || undefined}
              className="min-h-11 text-left font-semibold"
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
