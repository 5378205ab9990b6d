import { useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import { available } from '#store/queries/lists.ts'
import { activeJob, driverStatus } from '#store/queries/queries.ts'
import { DeliveryCard } from '../../components/delivery/delivery-card.tsx'
import { ButtonLink } from '../../components/forms/button.tsx'
import { Page } from '../../components/page/page.tsx'
import { Loading } from '../../components/page/skeleton.tsx'
import { Empty } from '../../components/text/empty.tsx'
import type { IconName } from '../../components/text/icon.tsx'
import { ListUnavailable } from '../../components/text/list-unavailable.tsx'
import { type ListState, useListState } from '../../hooks/use-list-state.ts'
import { useLive, useWatch } from '../../hooks/use-live.ts'
import { useNow } from '../../hooks/use-now.ts'
import { useVisitor } from '../../hooks/use-visitor.ts'
import { paths, type Visitor } from '../../paths.ts'
import { toast } from '../../shell/toasts.ts'
import { timeAgo } from '../../texts/time.ts'
import { RouteFilter } from './route-filter.tsx'

/** Find and accept deliveries (spec §2, Drive page). */
export default function Drive() {
  const { visitor, user } = useVisitor()
  if (visitor === 'approvedDriver')
    return (
      <Page title="Find Deliveries" lead="Jobs on the road you already travel.">
        {user?.Verified === false && <Onboarding {...unverified} />}
        <Jobs />
      </Page>
    )
  return (
    <Page title="Drive">
      <NotYet visitor={visitor} />
    </Page>
  )
}

/** Why there are no jobs for this visitor: said in a toast (spec §8), and on the page what to do. */
function NotYet({ visitor }: { visitor: Visitor }) {
  const status = useLive(driverStatus)
  const step = status === 'rejected' ? rejected : onboarding[visitor]
  const known = status !== undefined
  useEffect(() => {
    if (known && step) toast({ title: step.title, text: step.text, destructive: true })
  }, [known, step])
  if (!known) return <Loading rows={1} />
  return step && <Onboarding {...step} />
}

type Step = { icon: IconName; title: string; text: string; links: [string, string][] }

const unverified: Step = {
  icon: 'phone',
  title: 'Verify your phone first',
  text: 'Jobs can be accepted once your phone number is verified.',
  links: [['Verify Phone', `${paths.auth}?step=verify`]],
}

const otherRole: Step = {
  icon: 'car',
  title: 'Driver Access Required',
  text: 'This account does not drive. Sign up as a driver with your ID to find jobs.',
  links: [['Go to Home', paths.home]],
}

const rejected: Step = {
  icon: 'alert',
  title: 'Driver Approval Required',
  text: 'Your application was rejected. An administrator can still approve it later.',
  links: [
    ['Check Approval Status', paths.driverPending],
    ['Send a Package', paths.send],
  ],
}

/** What stands between a visitor and the jobs. */
const onboarding: Partial<Record<Visitor, Step>> = {
  guest: {
    icon: 'person',
    title: 'Login Required',
    text: 'Log in with your driver account, or become a driver and earn on the way you already go.',
    links: [
      ['Login', paths.auth],
      ['Become a Driver', `${paths.auth}?tab=signup&role=driver`],
    ],
  },
  driver: {
    icon: 'clock',
    title: 'Driver Approval Required',
    text: 'Your application is under review. Approval usually takes 24-48 hours.',
    links: [['Check Approval Status', paths.driverPending]],
  },
  sender: otherRole,
  admin: otherRole,
  user: otherRole,
}

function Onboarding({ icon, title, text, links }: Step) {
  return (
    <Empty
      icon={icon}
      title={title}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {links.map(([label, to], at) => (
            <ButtonLink key={to} to={to} look={at === 0 ? 'green' : 'line'}>
              {label}
            </ButtonLink>
          ))}
        </div>
      }
    >
      {text}
    </Empty>
  )
}

function Jobs() {
  const [search] = useSearchParams()
  const from = search.get('from') ?? undefined
  const to = search.get('to') ?? undefined
  const list = useListState({ kind: 'available' }, 'Failed to load available deliveries')
  useWatch({ kind: 'jobs' })
  const job = useLive(activeJob)
  const rows = useLive((db) => available(db, { pickupZone: from, dropoffZone: to }), [from, to])
  const open = rows?.filter((row) => row.ID !== job?.ID)
  const route = from !== undefined
  const nothing = open?.length === 0 && list.is === 'known'
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
      <RouteFilter key={`${from} ${to}`} from={from} to={to} />
      {open === undefined || (open.length === 0 && list.is === 'unknown') ? (
        <Loading label="Loading deliveries" />
      ) : open.length > 0 ? (
        <div className="grid gap-4 md:grid-cols-2">
          {open.map((row) => (
            <DeliveryCard key={row.ID} row={row} />
          ))}
        </div>
      ) : (
        <Nothing route={route} list={list} />
      )}
      <Freshness list={list} />
    </>
  )
}

/** The two wordings of an empty result (spec §2, Drive page). */
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

/** How old the list is, so that nobody takes last hour's news for this minute's. */
function Freshness({ list }: { list: ListState }) {
  const now = useNow(30_000)
  if (list.is !== 'known' || !list.stale) return null
  return (
    <p className="text-sm text-soft">
      Last news {timeAgo(list.at, now)}. What you see is what this phone knows.
    </p>
  )
}
