import { type ReactNode, useDeferredValue, useMemo, useState } from 'react'
import { Status } from '#domain/deliveries/delivery.ts'
import { shortPrice } from '#domain/money.ts'
import { jobsRange, type ReadPart, sentRange } from '#store/queries/lists.ts'
import type { ListRange } from '#store/queries/live/follow-pages.ts'
import { deliveriesUnderWay } from '#store/queries/under-way.ts'
import type { DeliveryRow } from '#store/rows.ts'
import type { ListRef } from '#sync/lists/list-ref.ts'
import { DeliveryLine } from '../../components/delivery/delivery-line.tsx'
import { ButtonLink } from '../../components/forms/button.tsx'
import { SelectField, TextField } from '../../components/forms/fields.tsx'
import { ListEnd } from '../../components/list/list-end.tsx'
import { RowGrid } from '../../components/list/row-grid.tsx'
import { Loading } from '../../components/page/skeleton.tsx'
import { UnreadableRows } from '../../components/page/update-notice.tsx'
import { Empty } from '../../components/text/empty.tsx'
import { ListUnavailable } from '../../components/text/list-unavailable.tsx'
import { isUnavailable, type ListState, useListState } from '../../hooks/lists/use-list-state.ts'
import { useOlderRows } from '../../hooks/lists/use-older-rows.ts'
import { useNow } from '../../hooks/time/use-now.ts'
import { useLive, useOwn } from '../../hooks/use-live.ts'
import { paths } from '../../paths.ts'
import { timeAgo } from '../../texts/time.ts'
import { groupByMonth, searchFor } from './by-month.ts'
import { Earnings } from './earnings/summary.tsx'

const failure = 'Failed to load your deliveries'

/** What a search looks through: all that a phone holds. */
const all: ListRange = { limit: Number.POSITIVE_INFINITY }

/** The deliveries that a driver accepted. */
export function Driven() {
  const list = useListState({ kind: 'jobs' }, failure)
  return (
    <>
      <Earnings />
      <List
        of={{ kind: 'jobs' }}
        list={list}
        read={jobsRange}
        what="jobs"
        empty={
          <Empty icon="car" title="No jobs yet">
            Jobs you accept are listed here.
          </Empty>
        }
      />
    </>
  )
}

/** The deliveries that a person requested. */
export function Sent() {
  return <SentList list={useListState({ kind: 'sent' }, failure)} />
}

/** What the guests of this phone requested: no list on the server has more. */
export function GuestSent() {
  return <SentList list={{ is: 'known', at: 0, stale: false }} />
}

/** What is under way of the guests of this phone, as Home shows it to whoever is logged in. */
export function AsGuest() {
  const rows = useLive(deliveriesUnderWay)?.flatMap(({ guest, row }) => (guest && row ? [row] : []))
  if (!rows?.length) return null
  return (
    <section aria-label="Sent as guest" className="grid gap-2">
      <h2>Sent as guest</h2>
      <RowGrid rows={rows} keyOf={idOf} draw={drawRow} height={84} />
    </section>
  )
}

function SentList({ list }: { list: ListState }) {
  return (
    <List
      of={{ kind: 'sent' }}
      list={list}
      read={sentRange}
      what="deliveries"
      empty={
        <Empty
          title="No deliveries yet"
          action={<ButtonLink to={paths.send}>Send a Package</ButtonLink>}
        >
          What you send is listed here.
        </Empty>
      }
    />
  )
}

type ListProps = {
  of: ListRef
  list: ListState
  read: ReadPart
  /** What the rows are, in the plural. */
  what: string
  empty: ReactNode
}

function List({ of, list, read, what, empty }: ListProps) {
  const { rows, isLoaded, ...end } = useOlderRows(of, read)
  const [search, setSearch] = useState('')
  const [status, setStatus] = useState('')
  const isSearching = search.trim() !== '' || status !== ''
  const held = useOwn(isSearching ? read : undefined, all)?.rows
  const found = useMemo(() => {
    const isFound = searchFor(search)
    return held?.filter((row) => (status === '' || row.view.status === status) && isFound(row))
  }, [held, search, status])
  const drawnFound = useFirstRows(isSearching ? found : undefined)
  const drawn = isSearching ? drawnFound : rows
  // A guest's are on this phone alone, in a list that is never loaded.
  const isLoading = list.is === 'unknown' || (list.is === 'known' && list.at > 0 && !isLoaded)
  if (rows === undefined || (rows.length === 0 && isLoading)) return <Loading />
  if (rows.length === 0 && isUnavailable(list))
    return <ListUnavailable list={list} icon="box" what={`Your ${what} load`} />
  if (rows.length === 0 && end.older === 'none')
    return (
      <UnreadableRows list={of} what={['delivery', 'deliveries']}>
        {empty}
      </UnreadableRows>
    )
  return (
    <>
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-[min(100%,11rem)] flex-3">
          <TextField
            label={`Search your ${what}`}
            type="search"
            placeholder="Item, zone, name or SOMA-…"
            autoComplete="off"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </div>
        <div className="min-w-28 flex-2">
          <SelectField
            label="Status"
            value={status}
            onChange={(event) => setStatus(event.target.value)}
          >
            <option value="">All</option>
            {Status.options.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </SelectField>
        </div>
      </div>
      <Age list={list} />
      {drawn && <Groups rows={drawn} hasOlder={!isSearching && end.older !== 'none'} />}
      {isSearching && found?.length === 0 && (
        <Empty icon="search" title="Nothing found">
          Only what is on this phone is searched.
        </Empty>
      )}
      <UnreadableRows list={of} what={['delivery', 'deliveries']} />
      {!isSearching && (
        <ListEnd {...end} what={what} end={rows.length > 60 ? "That's all of them." : undefined} />
      )}
    </>
  )
}

/** `hasOlder`: the last month has rows that are not here, so that it has no sum yet. */
function Groups({ rows, hasOlder }: { rows: readonly DeliveryRow[]; hasOlder: boolean }) {
  return groupByMonth(rows).map(({ title, rows: found, paid }, at, { length }) => (
    <section key={title} aria-label={title} className="grid gap-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h2>{title}</h2>
        {paid > 0 && !(hasOlder && at === length - 1) && (
          <p className="text-sm text-soft tabular-nums">{shortPrice(paid)} paid</p>
        )}
      </div>
      <RowGrid rows={found} keyOf={idOf} draw={drawRow} height={84} />
    </section>
  ))
}

const idOf = ({ ID }: DeliveryRow) => ID

const drawRow = (row: DeliveryRow) => <DeliveryLine row={row} />

/** How old the list is, while it cannot be renewed. */
function Age({ list }: { list: ListState }) {
  const now = useNow(30_000)
  if (list.is !== 'known' || !list.stale) return null
  return <p className="text-sm text-soft">Offline · updated {timeAgo(list.at, now)}</p>
}

/** As many rows as fill a large screen. */
const first = 16

/** The rows to draw now: those of the first screen at once, the others in slices after it. */
function useFirstRows<T>(rows: T[] | undefined): T[] | undefined {
  const count = useDeferredValue(rows?.length ?? 0)
  return rows?.slice(0, Math.max(first, count))
}
