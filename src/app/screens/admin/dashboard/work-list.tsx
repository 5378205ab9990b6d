import { referenceOf } from '#domain/deliveries/reference.ts'
import { isLate, type WorkKind, workKinds } from '#domain/office/work-kinds.ts'
import { adminStats, type Stats } from '#store/queries/admin/admin.ts'
import { ButtonLink } from '../../../components/forms/button.tsx'
import { Link } from '../../../components/forms/link.tsx'
import { Loading } from '../../../components/page/skeleton.tsx'
import { Empty } from '../../../components/text/empty.tsx'
import { Icon, type IconName } from '../../../components/text/icon.tsx'
import { ListUnavailable } from '../../../components/text/list-unavailable.tsx'
import { Tag } from '../../../components/text/tag.tsx'
import { Verbatim } from '../../../components/text/verbatim.tsx'
import { isUnavailable, useListState } from '../../../hooks/lists/use-list-state.ts'
import { useNow } from '../../../hooks/time/use-now.ts'
import { useOwn } from '../../../hooks/use-live.ts'
import { useIsSupport } from '../../../hooks/use-visitor.ts'
import { paths } from '../../../paths.ts'
import { timeOrDate } from '../../../texts/time.ts'
import {
  deliveryPath,
  disputePath,
  moneyPath,
  pendingDriversPath,
  reviewPath,
  userPath,
} from '../links.ts'
import { dayName, durationText } from './trends-table.tsx'

type Work = NonNullable<Stats['work']>[number]

/** How a kind of work is named, where a row of it is done, and where all of it stands. */
type Section = {
  title: string
  icon: IconName
  to: (id: string) => string
  all?: readonly [label: string, path: string]
  /** The ID is of a delivery or dispute, whose reference is shown. */
  hasReference?: true
}

const oldest = (status: string) => `${paths.adminDeliveries}?status=${status}`

const sections: Record<WorkKind, Section> = {
  payments: {
    title: 'Money that failed',
    icon: 'money',
    to: () => moneyPath,
    all: ['Open Money', moneyPath],
  },
  offers: {
    title: 'No driver for 30 minutes',
    icon: 'box',
    to: deliveryPath,
    all: ['All pending', oldest('Pending')],
    hasReference: true,
  },
  jobs: {
    title: 'Under way for 3 hours',
    icon: 'car',
    to: deliveryPath,
    all: ['All picked up', oldest('Picked+Up')],
    hasReference: true,
  },
  returns: {
    title: 'Returns not confirmed',
    icon: 'back',
    to: deliveryPath,
    hasReference: true,
  },
  disputes: {
    title: 'Open disputes',
    icon: 'flag',
    to: disputePath,
    all: ['All open', paths.adminDisputes],
    hasReference: true,
  },
  applications: {
    title: 'Driver applications',
    icon: 'person',
    to: (id) => `${reviewPath}?id=${encodeURIComponent(id)}`,
    all: ['Review applications', reviewPath],
  },
  licences: { title: 'Licences that end', icon: 'clock', to: userPath },
}

/** What support reads of the kinds that an admin decides (R210); `undefined`: nothing. */
const forSupport: Partial<Record<WorkKind, Section | undefined>> = {
  payments: undefined,
  applications: {
    ...sections.applications,
    to: userPath,
    all: ['All pending', pendingDriversPath],
  },
}

/** What waits for the office: what is late first, the oldest of each kind, one click from where it is done (R187). */
export function WorkList() {
  const list = useListState({ kind: 'adminStats' })
  const stats = useOwn(adminStats)
  const now = useNow(60_000)
  const shown = useIsSupport() ? { ...sections, ...forSupport } : sections
  if (!stats)
    return isUnavailable(list) ? (
      <ListUnavailable list={list} icon="check" what="What waits comes" />
    ) : (
      <Loading rows={2} label="Loading what waits" />
    )
  if (!stats.work) return null
  const known = stats.work.filter(({ kind }) => kind in workKinds && shown[kind as WorkKind])
  const isUrgent = ({ kind, oldest: [first] }: Work) => !!first && isLate(kind, first.since, now)
  const inOrder = [...known.filter(isUrgent), ...known.filter((each) => !isUrgent(each))]
  return (
    <section aria-label="Work list" className="grid gap-3">
      {inOrder.length === 0 && (
        <Empty icon="check" title="All caught up">
          Nothing waits for the office.
        </Empty>
      )}
      <div className="grid items-start gap-3 md:grid-cols-2 2xl:grid-cols-3">
        {inOrder.map((work) => (
          <Waiting
            key={work.kind}
            section={shown[work.kind as WorkKind] as Section}
            work={work}
            isUrgent={isUrgent(work)}
            now={now}
          />
        ))}
      </div>
    </section>
  )
}

function Waiting(props: { section: Section; work: Work; isUrgent: boolean; now: number }) {
  const { work, isUrgent, now } = props
  const { title, icon, to, all, hasReference } = props.section
  return (
    <section
      aria-label={title}
      className={`card grid min-w-0 gap-2 ${isUrgent ? 'border-red' : ''}`}
    >
      <div className="flex items-center gap-2">
        <Icon name={icon} className={`size-5 ${isUrgent ? 'text-red' : 'text-green'}`} />
        <h2 className="text-base">{title}</h2>
        <span className="ml-auto flex items-center gap-2">
          {isUrgent && <Tag tone="red">Late</Tag>}
          <strong className="tabular-nums">{work.count.toLocaleString('en-GH')}</strong>
        </span>
      </div>
      <ol className="grid">
        {work.oldest.map(({ ID, name, since }) => (
          <li key={ID} className="border-t border-line">
            <Link
              to={to(ID)}
              data-list-row
              className="flex min-h-12 items-center gap-3 py-1 hover:bg-green-wash"
            >
              <span className="grid min-w-0 flex-1">
                <span className="truncate font-semibold">{name || title}</span>
                {hasReference && (
                  <Verbatim className="text-sm text-soft">{referenceOf(ID)}</Verbatim>
                )}
              </span>
              <time
                dateTime={since}
                title={timeOrDate(since, now)}
                className={`shrink-0 text-sm whitespace-nowrap ${isLate(work.kind, since, now) ? 'font-bold text-red' : 'text-soft'}`}
              >
                {work.kind === 'licences' ? endText(since, now) : ageText(since, now)}
              </time>
            </Link>
          </li>
        ))}
      </ol>
      {work.count > work.oldest.length && (
        <p className="text-sm text-soft">
          The {work.oldest.length} oldest of {work.count.toLocaleString('en-GH')}
        </p>
      )}
      {all && (
        <ButtonLink to={all[1]} look="line" className="justify-self-start">
          {all[0]}
        </ButtonLink>
      )}
    </section>
  )
}

const day = 24 * 60

/** How long it has waited: `45 min`, `5 h 10 min`, `3 days`. */
function ageText(since: string, now: number): string {
  const minutes = Math.max(0, Math.floor((now - Date.parse(since)) / 60_000))
  return minutes < 2 * day ? durationText(minutes) : `${Math.floor(minutes / day)} days`
}

/** `ends 12 Dec`, `ended 21 Nov`: the last day of a licence. */
const endText = (since: string, now: number): string =>
  `${isLate('licences', since, now) ? 'ended' : 'ends'} ${dayName(since.slice(0, 10))}`
