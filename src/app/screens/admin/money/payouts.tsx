import { type ReactNode, useState } from 'react'
import { referenceOf } from '#domain/deliveries/reference.ts'
import { fullPrice } from '#domain/money.ts'
import { canMarkPaid, canRetry } from '#domain/payout.ts'
import type { PayoutRow } from '#store/queries/admin/admin.ts'
import { attempt } from '../../../browser/attempt.ts'
import { Button } from '../../../components/forms/button.tsx'
import { Link } from '../../../components/forms/link.tsx'
import { Empty } from '../../../components/text/empty.tsx'
import { Tag } from '../../../components/text/tag.tsx'
import { Verbatim } from '../../../components/text/verbatim.tsx'
import { useNow } from '../../../hooks/time/use-now.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { timeAgo, timeOrDate } from '../../../texts/time.ts'
import { deliveryPath, userPath } from '../links.ts'
import { DownloadCsv } from '../list/download-csv.tsx'
import { ListFrame } from '../list/list-frame.tsx'
import { useAddress } from '../list/use-address.ts'
import { useListing } from '../list/use-listing.ts'
import { MarkPaid } from './mark-paid.tsx'
import { referenceText, stateOf } from './money-texts.ts'

/** What the address's `status` stands for: its name, the statuses, and what an empty list says. */
const filters: Record<string, [name: string, statuses: string, empty: string]> = {
  '': ['To pay', 'waiting,failed,reversed', 'Nothing to pay'],
  sent: ['On its way', 'sent', 'Nothing on its way'],
  paid: ['Paid', 'paid', 'Nothing paid yet'],
  all: ['All', '', 'No payouts yet'],
}

/** Payouts of drivers: what waits longest first, what is paid newest first (R183). `below` comes after them. */
export function Payouts({ below }: { below: ReactNode }) {
  const [params, change] = useAddress()
  const asked = params.get('status') ?? ''
  const chosen = Object.hasOwn(filters, asked) ? asked : ''
  const [, status, empty] = filters[chosen] ?? ['', '', '']
  const view = useListing('adminPayouts', 'Failed to load payouts', {
    status,
    usualSort: chosen === '' ? 'createdAt' : '-createdAt',
  })
  return (
    <>
      <section className="grid gap-3" aria-label="Payouts to drivers">
        <h2>Payouts to drivers</h2>
        <fieldset className="flex flex-wrap gap-2">
          <legend className="sr-only">Show</legend>
          {Object.entries(filters).map(([value, [name]]) => (
            <Button
              key={value}
              look={chosen === value ? 'green' : 'line'}
              aria-pressed={chosen === value}
              onClick={() => change({ status: value })}
            >
              {name}
            </Button>
          ))}
        </fieldset>
        <ListFrame
          view={view}
          searchLabel="Search drivers, references..."
          loadingLabel="Loading payouts"
          icon="money"
          actions={<DownloadCsv what="payouts" query={view.filters} />}
        >
          {(rows) =>
            rows.length > 0 ? (
              <ul className="grid gap-3 lg:grid-cols-2">
                {rows.map((payout) => (
                  <Card key={payout.ID} payout={payout} />
                ))}
              </ul>
            ) : view.search !== '' ? (
              <Empty icon="search" title="No results." />
            ) : (
              <Empty icon={chosen === '' ? 'check' : 'money'} title={empty} />
            )
          }
        </ListFrame>
      </section>
      {view.page && below}
    </>
  )
}

function Card({ payout }: { payout: PayoutRow }) {
  const { DeliveryID, driver, amount, status, reference, message, createdAt, settling } = payout
  const now = useNow(60_000)
  const [state, tone] = stateOf(payout)
  return (
    <li className="card grid content-start gap-3">
      <div className="grid min-w-0 gap-1">
        <div className="flex flex-wrap items-start justify-between gap-2">
          <strong className="min-w-0 text-lg tabular-nums">{fullPrice(amount)}</strong>
          {settling ? <Tag tone="unsent">Not sent yet</Tag> : <Tag tone={tone}>{state}</Tag>}
        </div>
        <Link to={userPath(driver.id)} className="font-semibold underline">
          {driver.name}
        </Link>
        <span className="text-sm text-soft">
          <Link to={deliveryPath(DeliveryID)} className="underline">
            Delivery <Verbatim>{referenceOf(DeliveryID)}</Verbatim>
          </Link>
          {' · '}
          {status === 'paid' ? 'earned ' : 'since '}
          <time dateTime={createdAt} title={timeOrDate(createdAt)}>
            {timeAgo(createdAt, now)}
          </time>
        </span>
        {reference && (
          <span className="text-sm text-soft [overflow-wrap:anywhere]">
            {referenceText(reference)}
          </span>
        )}
        {message && <p className="text-sm [overflow-wrap:anywhere]">{message}</p>}
        {settling && <Settling of={settling} />}
      </div>
      {!settling && <Actions payout={payout} />}
    </li>
  )
}

const Settling = ({ of: { retry, reference } }: { of: NonNullable<PayoutRow['settling']> }) => (
  <p className="text-sm [overflow-wrap:anywhere]">
    {retry ? 'Sent again' : `Marked as paid, reference ${reference}`} · not confirmed yet
  </p>
)

function Actions({ payout }: { payout: PayoutRow }) {
  const { commands } = useSoma()
  const [asking, setAsking] = useState(false)
  if (!canMarkPaid(payout)) return null
  return (
    <div className="flex flex-wrap gap-2">
      <Button look="line" data-list-row onClick={() => setAsking(true)}>
        Mark as paid
      </Button>
      {canRetry(payout) && (
        <Button
          look="line"
          icon="retry"
          onClick={() => attempt('Error', () => commands.settlePayout(payout.ID, { retry: true }))}
        >
          Send again
        </Button>
      )}
      {asking && <MarkPaid payout={payout} onClose={() => setAsking(false)} />}
    </div>
  )
}
