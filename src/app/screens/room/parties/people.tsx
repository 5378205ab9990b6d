import type { ReactNode } from 'react'
import { areContactsOpen } from '#domain/deliveries/contacts.ts'
import { type Actor, isDriverOf, isSenderOf } from '#domain/deliveries/delivery.ts'
import { type Contact, firstNameOf } from '#domain/users/user.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { CallLink, CopyPhone, WhatsAppLink } from '../../../components/delivery/phone-links.tsx'
import { DriverCard } from '../../../components/person/driver-card.tsx'
import { AverageRating } from '../../../components/person/stars.tsx'
import { HostedPhoto } from '../../../components/photo/photo.tsx'
import { Verbatim } from '../../../components/text/verbatim.tsx'

/** The other parties, as far as the person sees them (R51, R52). */
export function People({ row, who }: { row: DeliveryRow; who: Actor | undefined }) {
  const { view } = row
  const driving = who !== undefined && 'user' in who && isDriverOf(view, who.user)
  const sending = who !== undefined && isSenderOf(view, who)
  // As everywhere else on their screens; an admin looks people up by the whole name.
  const shown = (name: string) => (driving || sending ? firstNameOf(name) : name)
  const sender = {
    name: view.sender?.name ?? view.senderName,
    phone: view.sender?.phone ?? view.senderPhone,
  }
  return (
    <>
      {!driving && view.driver && <Driver driver={view.driver} />}
      {!sending && sender.name && (
        <Person title="Sender" name={shown(sender.name)} phone={sender.phone}>
          {view.sender?.rating && <AverageRating {...view.sender.rating} />}
        </Person>
      )}
      {view.recipientName && (
        <Person title="Recipient" name={shown(view.recipientName)} phone={view.recipientPhone} />
      )}
      {!areContactsOpen(view) &&
        hidesPhone(driving ? sender : sending ? view.driver : undefined) && (
          <p className="px-1 text-sm text-soft">
            {driving ? 'Phone numbers are' : 'The driver’s phone number is'} hidden once a delivery
            has ended.
          </p>
        )}
      {view.proofOfDelivery && (
        <section className="card grid gap-3" aria-label="Proof of delivery">
          <h2>Proof of delivery</h2>
          <HostedPhoto src={view.proofOfDelivery} alt="Proof of delivery" />
        </section>
      )}
    </>
  )
}

/** Whether there is somebody whose number is not shown (R129). */
const hidesPhone = (other: { name?: string; phone?: string } | undefined): boolean =>
  other?.name !== undefined && !other.phone

/** The driver's card, as their sender sees it (R114). */
const Driver = ({ driver }: { driver: Contact }) => (
  <section className="card grid gap-2" aria-label="Driver">
    <h2 className="text-sm font-semibold text-soft">Driver</h2>
    <DriverCard driver={driver}>
      <PhoneActions title="Driver" name={driver.name} phone={driver.phone} />
    </DriverCard>
  </section>
)

function Person(props: { title: string; name: string; phone?: string; children?: ReactNode }) {
  const { title, name, phone } = props
  return (
    <section className="card flex flex-wrap items-center justify-end gap-1" aria-label={title}>
      <div className="grid min-w-[min(100%,8rem)] flex-1">
        <h2 className="text-sm font-semibold text-soft">{title}</h2>
        <strong>{name}</strong>
        {props.children}
        {phone && <Verbatim className="text-soft">{phone}</Verbatim>}
      </div>
      <PhoneActions title={title} name={name} phone={phone} />
    </section>
  )
}

function PhoneActions({ title, name, phone }: { title: string; name: string; phone?: string }) {
  if (!phone) return null
  return (
    <span className="ml-auto flex gap-1">
      <CopyPhone name={name} phone={phone} whose={title} />
      <WhatsAppLink name={name} phone={phone} />
      <CallLink name={name} phone={phone} />
    </span>
  )
}
