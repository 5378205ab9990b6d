import type { ReactNode } from 'react'
import { savedViews } from '#store/queries/admin/saved-views.ts'
import { Button } from '../../../components/forms/button.tsx'
import { Loading } from '../../../components/page/skeleton.tsx'
import { UnreadableRows } from '../../../components/page/update-notice.tsx'
import { Icon, type IconName } from '../../../components/text/icon.tsx'
import { ListUnavailable } from '../../../components/text/list-unavailable.tsx'
import { useOwn } from '../../../hooks/use-live.ts'
import { timeOrDate } from '../../../texts/time.ts'
import { ViewAction, ViewChips } from '../views/saved-views.tsx'
import { viewQuery } from './address-query.ts'
import { SearchBox } from './search-box.tsx'
import { useAddress } from './use-address.ts'
import type { ListView } from './use-listing.ts'

/** The frame of a paged list: search, saved views, a notice while offline, paging. */
export function ListFrame<T>(props: {
  view: ListView<T>
  searchLabel: string
  loadingLabel: string
  icon: IconName
  actions?: ReactNode
  filters?: ReactNode
  /** Stands beside the rows on a wide screen. */
  panel?: ReactNode
  children: (rows: T[]) => ReactNode
}) {
  const { view } = props
  const { page, busy } = view
  const [params] = useAddress()
  const query = viewQuery(params.toString())
  const { kind } = view.list
  const views = useOwn(savedViews, kind)
  return (
    <div className="grid gap-3">
      <div className="grid gap-3 md:flex md:flex-wrap md:items-center md:justify-between">
        <SearchBox label={props.searchLabel} value={view.search} onChange={view.setSearch} />
        <div className="flex flex-wrap items-center gap-1 empty:hidden md:flex-row-reverse">
          {props.actions}
          <ViewAction list={kind} query={query} views={views} />
        </div>
      </div>
      {props.filters}
      {page && <ViewChips query={query} views={views} />}
      <OfflineNotice view={view} />
      <UnreadableRows list={view.list} what={['row', 'rows']} />
      {page === undefined || views === undefined ? (
        <Loading label={props.loadingLabel} />
      ) : page.from === 'stored' && page.total === 0 && !view.isNarrowed ? (
        <ListUnavailable list={view.state} icon={props.icon} what="The list comes" />
      ) : (
        <div
          className={props.panel ? 'grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]' : ''}
        >
          <div className="grid gap-3">
            <div
              aria-busy={busy}
              className={`grid gap-3 transition-opacity delay-150 ${busy ? 'cursor-progress opacity-50' : ''}`}
            >
              {props.children(page.rows)}
            </div>
            <Pager view={view} />
          </div>
          {props.panel}
        </div>
      )}
    </div>
  )
}

/** Says which rows are searched while the server cannot be reached. */
function OfflineNotice<T>({ view: { page, online, at, state } }: { view: ListView<T> }) {
  if (online || !page || (page.from === 'stored' && page.total === 0)) return null
  const why = state.is === 'failed' ? 'The service has a problem' : 'Offline'
  const when = at === undefined ? '' : ` Updated ${timeOrDate(at)}.`
  return (
    <p
      role="status"
      className="flex items-start gap-2 rounded-control bg-gold-wash px-3.5 py-2.5 text-sm"
    >
      <Icon name="alert" className="mt-0.5 size-5" />
      {page.from === 'server' ? (
        <span>
          <strong>{why}: this page is saved on this device.</strong>
          {when} Search, filters and sorting only cover saved rows.
        </span>
      ) : (
        <span>
          <strong>{why}: only rows saved on this device are searched.</strong> The others come back
          with your connection.
        </span>
      )}
    </p>
  )
}

function Pager<T>({ view: { page, busy, onPrevious, onNext } }: { view: ListView<T> }) {
  if (!page) return null
  const { rows, skipped, atLeast } = page
  const first = rows.length === 0 ? 0 : skipped + 1
  const last = skipped + rows.length
  const total = Math.max(last, page.total).toLocaleString('en-GH')
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="text-sm text-soft" role="status">
        Showing {first} to {last} of {atLeast ? `${total}+` : total} results
      </p>
      <div className="flex flex-wrap gap-2">
        <Button look="line" data-key="p" disabled={!onPrevious} onClick={onPrevious}>
          Previous
        </Button>
        <Button look="line" data-key="n" disabled={!onNext || busy} onClick={onNext}>
          Next
        </Button>
      </div>
    </div>
  )
}
