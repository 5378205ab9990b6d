import type { ReactNode } from 'react'
import { Button } from '../../../components/forms/button.tsx'
import { Loading } from '../../../components/page/skeleton.tsx'
import { UnreadableRows } from '../../../components/page/update-notice.tsx'
import { Icon, type IconName } from '../../../components/text/icon.tsx'
import { ListUnavailable } from '../../../components/text/list-unavailable.tsx'
import { timeOrDate } from '../../../texts/time.ts'
import { SearchBox } from './search-box.tsx'
import type { ListView } from './use-listing.ts'

/** The frame of a paged list: search, a notice while offline, paging. */
export function ListFrame<T>(props: {
  view: ListView<T>
  searchLabel: string
  loadingLabel: string
  icon: IconName
  actions?: ReactNode
  children: (rows: T[]) => ReactNode
}) {
  const { view } = props
  const { page, busy } = view
  return (
    <div className="grid gap-3">
      <div className="grid gap-3 md:flex md:flex-wrap md:items-center md:justify-between">
        <SearchBox label={props.searchLabel} value={view.search} onChange={view.setSearch} />
        {props.actions}
      </div>
      <OfflineNotice view={view} />
      <UnreadableRows list={view.list} what={['row', 'rows']} />
      {page === undefined ? (
        <Loading label={props.loadingLabel} />
      ) : page.from === 'kept' && page.total === 0 && view.search === '' ? (
        <ListUnavailable list={view.state} icon={props.icon} what="The list comes" />
      ) : (
        <>
          <div
            aria-busy={busy}
            className={`grid gap-3 transition-opacity delay-100 ${busy ? 'opacity-60' : ''}`}
          >
            {props.children(page.rows)}
          </div>
          <Pager view={view} />
        </>
      )}
    </div>
  )
}

/** Says which rows are searched while the server cannot be reached. */
function OfflineNotice<T>({ view: { page, online, at, state } }: { view: ListView<T> }) {
  if (online || !page || (page.from === 'kept' && page.total === 0)) return null
  const why = state.is === 'failed' ? 'The service has a problem' : 'Offline'
  const when = at === undefined ? '' : ` It is as it was on ${timeOrDate(at)}.`
  return (
    <p
      role="status"
      className="flex items-start gap-2 rounded-control bg-gold-wash px-3.5 py-2.5 text-sm"
    >
      <Icon name="alert" className="mt-0.5 size-5" />
      {page.from === 'server' ? (
        <span>
          <strong>{why}: this page is kept on this device.</strong>
          {when} Searching and sorting now look through the rows kept here alone.
        </span>
      ) : (
        <span>
          <strong>{why}: searched and sorted among what this device keeps.</strong> The rest is on
          the server.
        </span>
      )}
    </p>
  )
}

function Pager<T>({ view: { page, busy, onPrevious, onNext } }: { view: ListView<T> }) {
  if (!page) return null
  const { rows, skipped, total } = page
  const first = rows.length === 0 ? 0 : skipped + 1
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="text-sm text-soft" role="status">
        Showing {first} to {skipped + rows.length} of {total.toLocaleString('en-GH')} results
      </p>
      <div className="flex gap-2">
        <Button look="line" disabled={!onPrevious} onClick={onPrevious}>
          Previous
        </Button>
        <Button look="line" disabled={!onNext || busy} onClick={onNext}>
          Next
        </Button>
      </div>
    </div>
  )
}
