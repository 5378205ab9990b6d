import type { Delivery, StatusChange } from '#domain/deliveries/delivery.ts'
import { priceText } from '#domain/deliveries/payment.ts'
import { fullPrice, shortPrice } from '#domain/money.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { CallLink, CopyPhone, WhatsAppLink } from '../../../components/delivery/phone-links.tsx'
import { RouteLine } from '../../../components/delivery/route-line.tsx'
import { StatusTag } from '../../../components/delivery/status.tsx'
import { Link } from '../../../components/forms/link.tsx'
import { Verbatim } from '../../../components/text/verbatim.tsx'
import { correctionText } from '../../../texts/return-texts.ts'
import { longDate } from '../../../texts/time.ts'
import { userPath } from '../links.ts'

/** Every step with both times: when the person says they acted, and when the server received it (R31). */
export function History({ row }: { row: DeliveryRow }) {
  const { view } = row
  return (
    <section className="card grid gap-4" aria-label="History">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <div className="grid min-w-0 gap-1">
          <h2>{view.itemDescription}</h2>
          <RouteLine from={view.pickupZone} to={view.dropoffZone} />
        </div>
        <div className="grid justify-items-end gap-1">
          <StatusTag row={row} />
          <strong>{priceText(view, fullPrice)}</strong>
        </div>
      </div>
      <Steps view={view} />
    </section>
  )
}

export const Steps = ({ view }: { view: Delivery }) => (
  <ol className="grid gap-3">
    {(view.history ?? []).map((step) => (
      <HistoryStep key={`${step.status} ${step.at} ${step.late}`} step={step} />
    ))}
  </ol>
)

function HistoryStep({ step }: { step: StatusChange }) {
  const { status, at, occurredAt, late, by, reason, offer, corrected } = step
  const who = by === 'office' ? 'Support' : 'Sender'
  return (
    <li className="grid grid-cols-[1.625rem_minmax(0,1fr)] gap-2.5">
      <span
        aria-hidden="true"
        className={`mx-auto mt-1.5 size-3.5 [transform:rotate(45deg)] rounded-[3px] ${status === 'Cancelled' ? 'bg-red' : 'bg-green'}`}
      />
      <div className="grid">
        <strong>
          {corrected ? correctionText(step) : late && status === 'Cancelled' ? 'Returned' : status}
        </strong>
        {offer !== undefined && <p className="text-sm">Offer raised to {shortPrice(offer)}</p>}
        {late && <span className="text-sm">Done before the cancel, reported after it</span>}
        {reason ? (
          <p className="text-sm [overflow-wrap:anywhere]">{`${who}: ${reason}`}</p>
        ) : (
          by === 'office' && <p className="text-sm">By support</p>
        )}
        <Clocks at={at} occurredAt={occurredAt} />
      </div>
    </li>
  )
}

/** When the person says it happened, and when the server received it (R31). */
export function Clocks({ at, occurredAt }: Pick<StatusChange, 'at' | 'occurredAt'>) {
  return (
    <dl className="text-sm *:flex *:flex-wrap *:gap-x-3">
      {occurredAt && (
        <div>
          <dt className="text-soft">Reported at</dt>
          <dd>{longDate(occurredAt)}</dd>
        </div>
      )}
      <div>
        <dt className="text-soft">Received at</dt>
        <dd>{longDate(at)}</dd>
      </div>
    </dl>
  )
}

export const Contacts = ({ view }: { view: Delivery }) => (
  <section className="card grid gap-1" aria-label="Contacts">
    <h2>Contacts</h2>
    <People view={view} />
  </section>
)

/** Both sides and the recipient, each with ways to reach them; a guest is called one. */
export function People({ view }: { view: Delivery }) {
  const { sender, driver } = view
  return (
    <>
      <Person
        part={view.isGuestDelivery ? 'Sender (guest)' : 'Sender'}
        id={sender?.id}
        name={sender?.name ?? view.senderName}
        phone={sender?.phone ?? view.senderPhone}
        email={sender?.email}
      />
      {driver ? <Person part="Driver" {...driver} /> : <Person part="Driver" name="Unassigned" />}
      <Person part="Recipient" name={view.recipientName} phone={view.recipientPhone} />
    </>
  )
}

type PersonProps = { part: string; id?: string; name?: string; phone?: string; email?: string }

function Person({ part, id, name = 'N/A', phone, email }: PersonProps) {
  return (
    <div className="flex items-center gap-1 border-t border-line py-2">
      <div className="grid min-w-0 flex-1">
        <span className="text-sm text-soft">{part}</span>
        {id ? (
          <Link
            to={userPath(id)}
            className="grid min-h-12 content-center font-bold text-green underline underline-offset-4"
          >
            {name}
          </Link>
        ) : (
          <strong>{name}</strong>
        )}
        <Verbatim className="text-sm text-soft">
          {[phone, email].filter(Boolean).join(' · ')}
        </Verbatim>
      </div>
      {phone && (
        <>
          <CopyPhone name={name} phone={phone} whose={part} />
          <WhatsAppLink name={name} phone={phone} />
          <CallLink name={name} phone={phone} />
        </>
      )}
    </div>
  )
}
