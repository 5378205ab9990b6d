import { useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import { offersRef } from '#store/deliveries/offered-route.ts'
import { activeJob } from '#store/queries/deliveries.ts'
import { available, rememberedRoute } from '#store/queries/lists.ts'
import { DeliveryCard } from '../../components/delivery/delivery-card.tsx'
import { ListEnd } from '../../components/page/list-end.tsx'
import { Loading } from '../../components/page/skeleton.tsx'
import { UnreadableRows } from '../../components/page/update-notice.tsx'
import { Empty } from '../../components/text/empty.tsx'
import { ListUnavailable } from '../../components/text/list-unavailable.tsx'
import { type ListState, useListState } from '../../hooks/use-list-state.ts'
import { useLive, useWatch } from '../../hooks/use-live.ts'
import { useNow } from '../../hooks/use-now.ts'
import { useOlderRows } from '../../hooks/use-older-rows.ts'
import { toast } from '../../shell/toasts.ts'
import { timeAgo } from '../../texts/time.ts'
import { RouteFilter } from './route-filter.tsx'

/** The driver's active job, and the deliveries on offer for the chosen route. */
export function Jobs() {
  const [search] = useSearchParams()
  const remembered = useLive(rememberedRoute)
  if (!remembered) return <Loading label="Loading deliveries" />
  const from = search.get('from') ?? remembered.pickupZone
  const to = search.get('to') ?? remembered.dropoffZone
  return <JobsAlong key={`${from} ${to}`} from={from} to={to} />
}

function JobsAlong({ from, to }: { from?: string; to?: string }) {
  const chosen = { pickupZone: from, dropoffZone: to }
  const list = useListState(offersRef(chosen), 'Failed to load available deliveries')
  useWatch({ kind: 'jobs' })
  const job = useLive(activeJob)
  const { rows, older, more } = useOlderRows(offersRef(chosen), (db, limit) =>
    available(db, chosen, limit),
  )
  const open = rows?.filter((row) => row.ID !== job?.ID)
  const route = from !== undefined
  // Of a list whose newest jobs have all been taken the older ones come next (S50).
  const nothing = open?.length === 0 && list.is === 'known' && older === 'none'
  useEffect(() => {
    if (nothing && route) toast({ title: 'No deliveries found', text: none.route, plain: true })
  }, [nothing, route])
  return (
    <>
      {job && (
        <section className="grid gap-3" aria-labelledby="active-job">
          <h2 id="active-job">My Active Delivery</h2>
          <DeliveryCard row={job} />
        </section>
      )}
      <RouteFilter from={from} to={to} />
      {open === undefined || (open.length === 0 && list.is === 'unknown') ? (
        <Loading label="Loading deliveries" />
      ) : open.length > 0 ? (
        <div className="grid gap-4 md:grid-cols-2">
          {open.map((row) => (
            <DeliveryCard key={row.ID} row={row} />
          ))}
        </div>
      ) : nothing || list.is !== 'known' ? (
        <Nothing route={route} list={list} />
      ) : undefined}
      {open && (open.length > 0 || list.is === 'known') && (
        <ListEnd
          older={older}
          more={more}
          what="jobs"
          end={open.length > 60 ? allShown(open.length) : undefined}
        />
      )}
      <UnreadableRows list={offersRef(chosen)} what={['job', 'jobs']} />
      <Freshness list={list} />
    </>
  )
}

/** Of the jobs on offer a phone shows the newest 2,000 (S50). */
const allShown = (count: number) =>
  count < 1_990 ? "That's all of them." : 'These are the newest jobs. Choose a route to see others.'

/** The texts of an empty list, with and without a chosen route. */
const none = {
  route:
    'There are no deliveries for your route right now. Try other zones, or look at all of them.',
  platform:
    'There are no deliveries on the platform right now. New ones appear here by themselves.',
}

function Nothing({ route, list }: { route: boolean; list: ListState }) {
  if (list.is === 'failed') return <ListUnavailable list={list} icon="car" what="The jobs come" />
  if (list.is === 'unreachable')
    return (
      <Empty icon="clock" title="No connection">
        The list comes as soon as there is one.
      </Empty>
    )
  return (
    <Empty icon="car" title="No deliveries found">
      {route ? none.route : none.platform}
    </Empty>
  )
}

/** The age of the list, shown while it cannot be renewed. */
function Freshness({ list }: { list: ListState }) {
  const now = useNow(30_000)
  if (list.is !== 'known' || !list.stale) return null
  return (
    <p className="text-sm text-soft">
      Last news {timeAgo(list.at, now)}. What you see is what this phone knows.
    </p>
  )
}
