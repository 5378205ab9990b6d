import { fullPrice } from '#domain/money.ts'
import { adminActivities, adminStats } from '#store/queries/admin/admin.ts'
import { Link } from '../../../components/forms/link.tsx'
import { PageLayout } from '../../../components/page/page.tsx'
import { Loading, Skeleton } from '../../../components/page/skeleton.tsx'
import { Empty } from '../../../components/text/empty.tsx'
import type { IconName } from '../../../components/text/icon.tsx'
import { Icon } from '../../../components/text/icon.tsx'
import { ListUnavailable } from '../../../components/text/list-unavailable.tsx'
import { isUnavailable, useListState } from '../../../hooks/lists/use-list-state.ts'
import { useNow } from '../../../hooks/time/use-now.ts'
import { useOwn } from '../../../hooks/use-live.ts'
import { useIsSupport } from '../../../hooks/use-visitor.ts'
import { paths } from '../../../paths.ts'
import { timeAgo, timeOrDate } from '../../../texts/time.ts'
import { pendingDriversPath, reviewPath } from '../links.ts'
import { Trends } from './trends.tsx'
import { WaitingMap } from './waiting-map.tsx'
import { WorkList } from './work-list.tsx'

/** What waits for the office (R187); below it figures, trends and recent activities. */
export function Dashboard() {
  return (
    <PageLayout title="Admin Dashboard">
      <WorkList />
      <Figures />
      <Trends />
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <WaitingMap />
        <Activities />
      </div>
    </PageLayout>
  )
}

function Figures() {
  const list = useListState({ kind: 'adminStats' }, 'Failed to load data')
  const applications = useIsSupport() ? pendingDriversPath : reviewPath
  const stats = useOwn(adminStats)
  if (!stats && isUnavailable(list))
    return <ListUnavailable list={list} icon="grid" what="The figures come" />
  if (!stats)
    return (
      <div
        className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-3"
        role="status"
      >
        <span className="sr-only">Loading figures</span>
        {['users', 'deliveries', 'revenue', 'pending', 'drivers', 'disputes'].map((name) => (
          <Skeleton
            key={name}
            className="h-[calc(3.4rem+30px)] md:h-[calc(3rem+30px)] rounded-card"
          />
        ))}
      </div>
    )
  const waits = 'border-transparent bg-gold-wash'
  const { openDisputes, totalTips } = stats
  const approved = `${paths.adminDeliveries}?status=Approved`
  const figures: Figure[] = [
    ['Users', whole(stats.totalUsers), paths.adminUsers],
    ['Deliveries', whole(stats.totalDeliveries), paths.adminDeliveries],
    ['Revenue', fullPrice(stats.totalRevenue), approved],
    [
      'Pending deliveries',
      whole(stats.pendingDeliveries),
      `${paths.adminDeliveries}?status=Pending`,
    ],
    [
      'Pending drivers',
      whole(stats.pendingDrivers),
      applications,
      stats.pendingDrivers > 0 && waits,
    ],
  ]
  if (openDisputes !== undefined)
    figures.push([
      'Open disputes',
      whole(openDisputes),
      paths.adminDisputes,
      openDisputes > 0 && waits,
    ])
  if (totalTips !== undefined) figures.push(['Tips to drivers', fullPrice(totalTips), approved])
  return (
    <dl className="flex flex-wrap gap-3">
      {figures.map(([name, value, to, look]) => (
        <div
          key={name}
          className={`card relative grow basis-32 p-3.5 hover:border-edge ${look || ''}`}
        >
          <dt className="text-sm text-soft">{name}</dt>
          <dd className="text-lg font-extrabold tracking-tight tabular-nums min-[350px]:whitespace-nowrap">
            {/* The link covers the card. */}
            <Link
              to={to}
              aria-label={`${name}: ${value}`}
              className="after:absolute after:inset-0 after:rounded-card"
            >
              {value}
            </Link>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Name, value, where it leads, and how its card looks. */
type Figure = [string, string, string, (string | false)?]

const whole = (count: number) => count.toLocaleString('en-GH')

const icons: Record<string, IconName> = {
  driver_approved: 'check',
  driver_rejected: 'close',
  user_signup: 'person',
  delivery_created: 'box',
}

function Activities() {
  const list = useListState({ kind: 'adminActivities' }, 'Failed to load data')
  const activities = useOwn(adminActivities, 12)
  const now = useNow(60_000)
  return (
    <section className="grid gap-3" aria-label="Recent activities">
      <h2>Recent activities</h2>
      {activities === undefined || (activities.length === 0 && list.is === 'unknown') ? (
        <Loading rows={1} />
      ) : activities.length > 0 ? (
        <Lines activities={activities} now={now} />
      ) : isUnavailable(list) ? (
        <ListUnavailable list={list} icon="clock" what="The latest activity comes" />
      ) : (
        <Empty icon="clock" title="No activity yet" />
      )}
    </section>
  )
}

function Lines({
  activities,
  now,
}: {
  activities: Awaited<ReturnType<typeof adminActivities>>
  now: number
}) {
  return (
    <ol className="card grid gap-3">
      {activities.map(({ ID, Type, Message, CreatedAt }) => (
        <li key={ID} className="flex items-start gap-3">
          <span className="grid size-9 shrink-0 place-items-center rounded-full bg-green-wash text-green">
            <Icon name={icons[Type] ?? 'clock'} className="size-5" />
          </span>
          <span className="grid min-w-0">
            <span>{Message}</span>
            <time dateTime={CreatedAt} title={timeOrDate(CreatedAt)} className="text-sm text-soft">
              {timeAgo(Date.parse(CreatedAt), now)}
            </time>
          </span>
        </li>
      ))}
    </ol>
  )
}
