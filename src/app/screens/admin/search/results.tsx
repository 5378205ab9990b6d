import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router-dom'
import { referenceOf } from '#domain/deliveries/reference.ts'
import { type SearchResults, searchRef, searchResults } from '#store/queries/admin/listings.ts'
import { syncStatus } from '#store/queries/queries.ts'
import { RouteLine } from '../../../components/delivery/route-line.tsx'
import { StatusTag } from '../../../components/delivery/status.tsx'
import { Link } from '../../../components/forms/link.tsx'
import { PageLayout } from '../../../components/page/page.tsx'
import { Loading } from '../../../components/page/skeleton.tsx'
import { UnreadableRows } from '../../../components/page/update-notice.tsx'
import { Empty } from '../../../components/text/empty.tsx'
import { Icon } from '../../../components/text/icon.tsx'
import { ListUnavailable } from '../../../components/text/list-unavailable.tsx'
import { Verbatim } from '../../../components/text/verbatim.tsx'
import { isUnavailable, useListState } from '../../../hooks/lists/use-list-state.ts'
import { useLive } from '../../../hooks/use-live.ts'
import { useVisitor } from '../../../hooks/use-visitor.ts'
import { paths } from '../../../paths.ts'
import { timeAgo } from '../../../texts/time.ts'
import { deliveryPath, disputePath, userPath } from '../links.ts'
import { RoleTag } from '../people/users.tsx'

/** What the search over everything finds, by kind (R186). */
export function SearchResultsPage() {
  const [params] = useSearchParams()
  const q = params.get('q')?.trim() ?? ''
  return (
    <PageLayout title="Search">
      {q ? (
        <Results key={q} q={q} />
      ) : (
        <Empty icon="search" title="Find anybody">
          A name, an e-mail address, a phone number in any spelling, SOMA-7F3K, a zone or an ID
          number.
        </Empty>
      )}
    </PageLayout>
  )
}

function Results({ q }: { q: string }) {
  const list = searchRef(q)
  const state = useListState(list, 'Failed to search')
  const reachable = useLive(syncStatus)?.reachable !== false && !isUnavailable(state)
  const found = useLive(searchResults, q, { reachable, account: useVisitor().account })
  if (state.is === 'refused')
    return (
      <Empty icon="search" title="This cannot be searched">
        Try other words.
      </Empty>
    )
  if (!found) return <Loading label="Searching..." />
  const groups = groupsOf(found).filter(({ rows }) => rows.length > 0)
  return (
    <div className="grid gap-5" aria-live="polite">
      {found.from === 'stored' && groups.length > 0 && (
        <p className="flex items-start gap-2 rounded-control bg-gold-wash px-3.5 py-2.5 text-sm">
          <Icon name="alert" className="mt-0.5 size-5" />
          <span>
            <strong>Only rows saved on this device are searched.</strong> The others come back with
            your connection.
          </span>
        </p>
      )}
      <UnreadableRows list={list} what={['row', 'rows']} />
      {groups.map(({ title, rows }) => (
        <section key={title} aria-label={title} className="grid gap-2">
          <h2>
            {title}{' '}
            <span className="text-base font-normal text-soft">
              {rows.length === most ? `the newest ${most}` : rows.length}
            </span>
          </h2>
          <ul className="grid gap-2 xl:grid-cols-2">{rows}</ul>
        </section>
      ))}
      {groups.length === 0 &&
        (found.from === 'stored' ? (
          <ListUnavailable list={state} icon="search" what="The results come" />
        ) : (
          <Empty icon="search" title="Nothing found">
            Try a part of the name, or the phone number alone.
          </Empty>
        ))}
    </div>
  )
}

/** Rows of one kind that the server sends. */
const most = 20

const groupsOf = ({ people, deliveries, disputes, zones }: SearchResults) => [
  {
    title: 'People',
    rows: people.map((user) => (
      <Result key={user.ID} to={userPath(user.ID)} name={user.name} tag={<RoleTag user={user} />}>
        <Verbatim>{user.phone_number}</Verbatim> · {user.email}
      </Result>
    )),
  },
  {
    title: 'Deliveries',
    rows: deliveries.map((row) => (
      <Result
        key={row.ID}
        to={deliveryPath(row.ID)}
        name={row.view.itemDescription}
        tag={<StatusTag row={row} />}
      >
        <RouteLine from={row.view.pickupZone} to={row.view.dropoffZone} />
        <Verbatim>{referenceOf(row.ID)}</Verbatim> · {row.view.sender?.name ?? row.view.senderName}{' '}
        to {row.view.recipientName} · {timeAgo(row.view.createdAt)}
      </Result>
    )),
  },
  {
    title: 'Disputes',
    rows: disputes.map(({ ID, DeliveryID, issue, status, CreatedAt }) => (
      <Result
        key={ID}
        to={disputePath(ID)}
        name={issue ?? 'Dispute'}
        tag={<span className="text-sm font-semibold">{status ?? 'open'}</span>}
      >
        About <Verbatim>{referenceOf(DeliveryID ?? ID)}</Verbatim>
        {CreatedAt && ` · ${timeAgo(CreatedAt)}`}
      </Result>
    )),
  },
  {
    title: 'Zones',
    rows: zones.map(({ ID, Name }) => (
      <Result
        key={ID}
        to={`${paths.adminDeliveries}?${new URLSearchParams({ pickupZone: Name })}`}
        name={Name}
      >
        Deliveries from this zone
      </Result>
    )),
  },
]

function Result(props: { to: string; name: string; tag?: ReactNode; children: ReactNode }) {
  return (
    <li className="card relative grid min-w-0 content-start gap-0.5 py-3 hover:border-edge">
      <span className="flex items-start justify-between gap-2">
        {/* The link covers the card. */}
        <Link
          to={props.to}
          data-list-row
          className="line-clamp-2 font-bold [overflow-wrap:anywhere] after:absolute after:inset-0 after:rounded-card"
        >
          {props.name}
        </Link>
        <span className="whitespace-nowrap">{props.tag}</span>
      </span>
      <span className="text-sm text-soft [overflow-wrap:anywhere]">{props.children}</span>
    </li>
  )
}
