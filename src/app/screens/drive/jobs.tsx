import { useCallback, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { isWay, offersRef } from '#store/deliveries/offered-route.ts'
import { activeJob } from '#store/queries/deliveries.ts'
import {
  availableCount,
  availableInOrder,
  availableRange,
  type OfferOrder,
} from '#store/queries/lists.ts'
import { note } from '#sync/database/device/diagnostics.ts'
import { Button } from '../../components/forms/button.tsx'
import { ListEnd } from '../../components/list/list-end.tsx'
import { PullToRefresh } from '../../components/list/pull-to-refresh.tsx'
import { RowGrid } from '../../components/list/row-grid.tsx'
import { Loading } from '../../components/page/skeleton.tsx'
import { UnreadableRows } from '../../components/page/update-notice.tsx'
import { type ListState, useListState } from '../../hooks/lists/use-list-state.ts'
import { useOlderRows } from '../../hooks/lists/use-older-rows.ts'
import { type SteadyRow, useSteadyList } from '../../hooks/lists/use-steady-list.ts'
import { useNow } from '../../hooks/time/use-now.ts'
import { useOwn, useWatch } from '../../hooks/use-live.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { useVisitor } from '../../hooks/use-visitor.ts'
import { useWide } from '../../hooks/use-wide.ts'
import { useMatcher, useOwnWay } from '../../hooks/way/use-detour.ts'
import { type Chosen, useOffered } from '../../hooks/way/use-offered.ts'
import { timeAgo } from '../../texts/time.ts'
import { useToast } from '../../toasts.ts'
import { preloadRoom } from '../room/preload.ts'
import { JobRow } from './job-row.tsx'
import { JobSheet } from './job-sheet.tsx'
import { JobsMap } from './jobs-map.tsx'
import { ListOptions, orderIn } from './list-options.tsx'
import { NoJobs, noneOnRoute } from './no-jobs.tsx'

preloadRoom()

/** The deliveries on offer: those on the driver's way, or all. */
export function Jobs() {
  const [search] = useSearchParams()
  const chosen = useOffered()
  if (!chosen) return <Loading label="Loading deliveries" />
  const order = orderIn(search, chosen.offered)
  return (
    <div className="-mt-2.5 grid gap-1">
      {/* Stays when another list is drawn: the focus is not lost. */}
      <ListOptions {...chosen} order={order} />
      <ChosenJobs key={keyOf(chosen, order)} chosen={chosen} order={order} />
    </div>
  )
}

const keyOf = ({ offered }: Chosen, order: OfferOrder) =>
  JSON.stringify([offersRef(offered), order])

function ChosenJobs({ chosen, order }: { chosen: Chosen; order: OfferOrder }) {
  const { engine } = useSoma()
  const [search] = useSearchParams()
  const { offered } = chosen
  const ref = offersRef(offered)
  const list = useListState(ref, 'Failed to load available deliveries')
  useWatch({ kind: 'jobs' })
  const job = useOwn(activeJob)
  const { rows, isLoaded, ...end } = useOlderRows(
    ref,
    (db, part, account) =>
      order === 'newest'
        ? availableRange(db, offered, part, account)
        : availableInOrder(db, offered, order, account),
    order,
  )
  const count = useOwn(availableCount, offered)
  const open = job === undefined ? undefined : rows?.filter((row) => row.ID !== job?.ID)
  // A job that is only requested is still on offer at the server.
  const requested = rows && open ? rows.length - open.length : 0
  const { shown, fresh, show } = useSteadyList(keyOf(chosen, order), open, isLoaded)
  const [opened, setOpened] = useState<string>()
  const { user } = useVisitor()
  // Until it is read whether there is a job in hand, rows have the height that they keep.
  const canAccept = !job && user?.Verified !== false
  const ownWay = useOwnWay()
  const way = isWay(offered) ? offered : ownWay
  const detourOf = useMatcher(way)
  const isWide = useWide()
  const numbered = isWide || search.has('map') ? shown?.slice(0, onMap) : undefined
  const numberOf = useNumbers(numbered)
  const drawRow = useCallback(
    (job: SteadyRow) => (
      <JobRow
        job={job}
        canAccept={canAccept}
        detour={detourOf(job.row.view)}
        number={numberOf.get(job.row.ID)}
        onOpen={setOpened}
      />
    ),
    [canAccept, detourOf, numberOf],
  )
  const now = useNow(30_000)
  // Of a list whose newest jobs have all been taken the older ones come next (S50).
  const nothing = shown?.length === 0 && isLoaded && end.older === 'none'
  const isLoading = list.is === 'unknown' || (list.is === 'known' && !isLoaded)
  useToast(
    nothing && isWay(offered)
      ? { title: 'No deliveries found', text: noneOnRoute, plain: true }
      : undefined,
  )
  const refresh = async () => {
    await engine
      .refresh(ref)
      .catch((error: unknown) => note('The jobs could not be refreshed', { error }))
    show()
  }
  const unreadable = { list: ref, what: ['job', 'jobs'] as [string, string] }
  const current = shown?.find(({ row }) => row.ID === opened)
  return (
    <PullToRefresh onRefresh={refresh}>
      <div className="grid items-start gap-2 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)] lg:gap-4">
        {(isWide || (numbered && numbered.length > 0)) && (
          <div className="lg:sticky lg:top-20 lg:order-last">
            <JobsMap way={way} jobs={numbered ?? []} />
          </div>
        )}
        <div className="grid gap-2">
          <Head
            count={open && count && count - requested}
            fresh={fresh}
            onShow={show}
            list={list}
            now={now}
          />
          {shown === undefined || (shown.length === 0 && isLoading) ? (
            <Loading label="Loading deliveries" />
          ) : shown.length > 0 ? (
            <RowGrid rows={shown} keyOf={idOf} draw={drawRow} height={canAccept ? 102 : 80} />
          ) : nothing || list.is !== 'known' ? (
            <UnreadableRows {...unreadable}>
              <NoJobs offered={offered} list={list} canAccept={canAccept} hasJob={Boolean(job)} />
            </UnreadableRows>
          ) : undefined}
          {open && (open.length > 0 || isLoaded) && (
            <ListEnd
              {...end}
              what="jobs"
              end={open.length > 60 ? allShown(open.length) : undefined}
            />
          )}
        </div>
      </div>
      {shown && shown.length > 0 && <UnreadableRows {...unreadable} />}
      {current && (
        <JobSheet
          {...current}
          way={way}
          detour={detourOf(current.row.view)}
          hasJob={Boolean(job)}
          onClose={() => setOpened(undefined)}
        />
      )}
    </PullToRefresh>
  )
}

/** Jobs that the map shows, in the order of the list. */
const onMap = 12

/** The number on the map of each of these jobs, by its ID. */
function useNumbers(jobs: readonly SteadyRow[] = []): ReadonlyMap<string, number> {
  const ids = jobs.map(idOf).join()
  return useMemo(() => new Map(ids.split(',').map((id, at) => [id, at + 1])), [ids])
}

const idOf = ({ row }: SteadyRow) => row.ID

/** How many jobs there are, how old the list is, and a button for those that came since. */
function Head(props: {
  count: number | undefined
  fresh: number
  onShow: () => void
  list: ListState
  now: number
}) {
  const { count, fresh, onShow, list, now } = props
  const age =
    list.is === 'known' && list.stale ? `Offline · updated ${timeAgo(list.at, now)}` : undefined
  return (
    <div className="-mb-1 flex min-h-5 flex-wrap items-center justify-between gap-x-3 text-sm text-soft">
      <span>{count ? `${count} ${count === 1 ? 'job' : 'jobs'}` : ''}</span>
      {age && <span>{age}</span>}
      {fresh > 0 && (
        <div
          className="fixed inset-x-0 top-[calc(5rem+var(--toast-space,0px))] z-30 grid justify-items-center"
          role="status"
        >
          <Button tight className="rounded-full px-5 shadow-lift" onClick={onShow}>
            {fresh} new {fresh === 1 ? 'job' : 'jobs'}
          </Button>
        </div>
      )}
    </div>
  )
}

/** Of the jobs on offer a phone shows the newest 2,000 (S50). */
const allShown = (count: number) =>
  count < 1_990
    ? "That's all of them."
    : 'These are the newest jobs. Choose your way to see others.'
