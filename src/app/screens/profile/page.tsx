import type { ReactNode } from 'react'
import { fullPrice, toCedis, toPesewas } from '#domain/money.ts'
import { jobs, sent } from '#store/queries/lists.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { DeliveryCard } from '../../components/delivery/delivery-card.tsx'
import { ButtonLink } from '../../components/forms/button.tsx'
import { Page } from '../../components/page/page.tsx'
import { Loading } from '../../components/page/skeleton.tsx'
import { Empty } from '../../components/text/empty.tsx'
import { Facts } from '../../components/text/facts.tsx'
import { ListUnavailable } from '../../components/text/list-unavailable.tsx'
import { Notice } from '../../components/text/notice.tsx'
import { Tag } from '../../components/text/tag.tsx'
import { isUnavailable, useListState } from '../../hooks/use-list-state.ts'
import { useLive } from '../../hooks/use-live.ts'
import { useVisitor } from '../../hooks/use-visitor.ts'
import { paths, type Visitor } from '../../paths.ts'
import { Logout } from './logout.tsx'
import { PhoneEdit } from './phone-edit.tsx'
import { Sessions } from './sessions.tsx'

const roleNames: Record<Visitor, string> = {
  guest: 'Guest',
  sender: 'Sender',
  driver: 'Driver, not approved yet',
  approvedDriver: 'Approved driver',
  admin: 'Admin',
  user: 'User',
}

/** Account information, and what this person sent or drove (spec §2, Profile page). */
export default function Profile() {
  const { visitor, user } = useVisitor()
  if (!user) return null
  const driving = visitor === 'approvedDriver' || visitor === 'driver'
  return (
    <Page title="Profile">
      <div className="grid items-start gap-4 md:grid-cols-2">
        <section className="card grid gap-5" aria-labelledby="account">
          <h2 id="account">Account Information</h2>
          <Facts
            of={[
              ['Name', user.name],
              ['Email', user.email],
              ['Role', roleNames[visitor]],
            ]}
          />
          <PhoneEdit
            key={user.phone_number}
            phone={user.phone_number}
            pending={user.pendingPhone}
          />
        </section>
        <div className="grid gap-4">
          {visitor !== 'admin' && <Verification verified={user.Verified} />}
          <ButtonLink look="line" icon="outbox" to={paths.outbox}>
            Outbox
          </ButtonLink>
          <Sessions />
          <Logout />
        </div>
      </div>
      {driving && <Earnings />}
      {driving && <Jobs />}
      {visitor !== 'admin' && <Sent optional={driving} />}
    </Page>
  )
}

function Verification({ verified }: { verified: boolean }) {
  if (verified)
    return (
      <section
        className="card flex flex-wrap items-center justify-between gap-3"
        aria-label="Verification"
      >
        <h2>Account Verification</h2>
        <Tag>Verified</Tag>
      </section>
    )
  return (
    <Notice title="Account Verification">
      <p>Verify your phone number to send packages and take jobs.</p>
      <ButtonLink className="justify-self-start" to={`${paths.auth}?step=verify`}>
        Verify Phone
      </ButtonLink>
    </Notice>
  )
}

/** What has been released to a driver, and what waits for a sender's approval. */
function Earnings() {
  const rows = useLive((db) => jobs(db, 10_000))
  if (!rows || rows.length === 0) return null
  return (
    <section className="card grid gap-3" aria-labelledby="earnings">
      <h2 id="earnings">Earnings</h2>
      <dl className="grid gap-3 sm:grid-cols-3">
        <Amount name="Paid to you" of={rows.filter(({ view }) => view.status === 'Approved')} lit />
        <Amount
          name="Waiting for approval"
          of={rows.filter(({ view }) => view.status === 'Delivered')}
        />
        <div className="grid gap-0.5">
          <dt className="text-sm text-soft">Deliveries completed</dt>
          <dd className="text-xl font-extrabold">
            {rows.filter(({ view }) => completed.has(view.status)).length}
          </dd>
        </div>
      </dl>
    </section>
  )
}

const completed: ReadonlySet<string> = new Set(['Delivered', 'Approved'])

function Amount({ name, of, lit }: { name: string; of: DeliveryRow[]; lit?: boolean }) {
  // In whole pesewas: a sum of cedis would gather errors of rounding.
  const pesewas = of.reduce((sum, { view }) => sum + toPesewas(view.offer), 0)
  return (
    <div className="grid gap-0.5">
      <dt className="text-sm text-soft">{name}</dt>
      <dd className={`text-xl font-extrabold tracking-tight ${lit ? 'text-green' : ''}`}>
        {fullPrice(toCedis(pesewas))}
      </dd>
    </div>
  )
}

function Jobs() {
  const list = useListState({ kind: 'jobs' }, 'Failed to load your deliveries')
  const rows = useLive((db) => jobs(db))
  return (
    <Section title="My Jobs">
      {rows === undefined || (rows.length === 0 && list.is === 'unknown') ? (
        <Loading rows={1} />
      ) : rows.length > 0 ? (
        rows.map((row) => <DeliveryCard key={row.ID} row={row} />)
      ) : isUnavailable(list) ? (
        <ListUnavailable list={list} icon="car" what="Your jobs come" />
      ) : (
        <Empty icon="car" title="No jobs yet">
          Jobs you accept are listed here.
        </Empty>
      )}
    </Section>
  )
}

/** `optional`: a driver's list of jobs comes first, and an empty list of sent things says nothing. */
function Sent({ optional }: { optional: boolean }) {
  const list = useListState(
    { kind: 'sent' },
    optional ? undefined : 'Failed to load your deliveries',
  )
  const rows = useLive((db) => sent(db))
  if (optional && rows?.length === 0) return null
  return (
    <Section title="My Deliveries">
      {rows === undefined || (rows.length === 0 && list.is === 'unknown') ? (
        <Loading rows={1} />
      ) : rows.length > 0 ? (
        rows.map((row) => <DeliveryCard key={row.ID} row={row} />)
      ) : isUnavailable(list) ? (
        <ListUnavailable list={list} icon="box" what="Your deliveries come" />
      ) : (
        <Empty
          title="No deliveries yet"
          action={<ButtonLink to={paths.send}>Send a Package</ButtonLink>}
        >
          What you send is listed here.
        </Empty>
      )}
    </Section>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-3" aria-label={title}>
      <h2>{title}</h2>
      <div className="grid items-start gap-4 md:grid-cols-2">{children}</div>
    </section>
  )
}
