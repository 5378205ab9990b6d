import { internationalPhone } from '#domain/users/phone.ts'
import { firstNameOf } from '#domain/users/user.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { isToAskFor } from '../../texts/paid-texts.ts'
import { Icon, type IconName } from '../text/icon.tsx'
import { pendingOperation } from './status.tsx'

type Props = { row: DeliveryRow; as: 'sender' | 'driver' }

/** Whom the next step is about: how to reach them, and for the driver the way. Nobody while the job is only requested. */
export function Contact({ row, as }: Props) {
  if (pendingOperation(row)?.op === 'acceptDelivery') return null
  const { view } = row
  const { status, driver, dropoffZone } = view
  if (as === 'sender')
    return driver && ['Accepted', 'Picked Up', 'Delivered'].includes(status) ? (
      <ContactButtons name={driver.name} phone={driver.phone} />
    ) : null
  if (status === 'Accepted') return <Sender view={view} />
  if (isToAskFor(view) && view.disputed) return <Sender view={view} isFar />
  if (status !== 'Picked Up') return null
  if (view.returning) return <Sender view={view} />
  return (
    <ContactButtons
      name={view.recipientName ?? 'the recipient'}
      phone={view.recipientPhone}
      zone={dropoffZone}
    />
  )
}

/** The sender, where the item is picked up or brought back; `isFar`: who is only called. */
const Sender = ({ view, isFar }: Pick<DeliveryRow, 'view'> & { isFar?: true }) => (
  <ContactButtons
    name={view.sender?.name ?? view.senderName ?? 'the sender'}
    phone={view.sender?.phone ?? view.senderPhone}
    zone={isFar ? undefined : view.pickupZone}
  />
)

/** `zone`: where they are to be met, for whoever has to go there. */
type ContactProps = { name: string; phone?: string; zone?: string }

function ContactButtons({ name, phone, zone }: ContactProps) {
  if (!phone && !zone) return null
  const who = firstNameOf(name)
  return (
    <div className="relative grid grid-cols-[repeat(auto-fit,minmax(5.5rem,1fr))] gap-2">
      {phone && <Way icon="phone" href={`tel:${phone}`} label={`Call ${who}`} text="Call" />}
      {phone && (
        <Way
          icon="chat"
          href={`https://wa.me/${internationalPhone(phone)}`}
          label={`WhatsApp ${who}`}
          text="WhatsApp"
          isOutside
        />
      )}
      {zone && (
        <Way
          icon="pin"
          href={`https://www.google.com/maps/dir/?api=1&destination=${encodeURIComponent(`${zone}, Accra, Ghana`)}`}
          label={`Directions to ${zone}`}
          text="Directions"
          isOutside
        />
      )}
    </div>
  )
}

function Way(props: {
  icon: IconName
  href: string
  label: string
  text: string
  isOutside?: boolean
}) {
  return (
    <a
      href={props.href}
      aria-label={props.label}
      target={props.isOutside ? '_blank' : undefined}
      rel={props.isOutside ? 'noreferrer' : undefined}
      className="grid min-h-14 content-center justify-items-center gap-0.5 rounded-control border-[1.5px] border-line px-1 py-1.5 text-center text-sm font-bold"
    >
      <Icon name={props.icon} className="size-5 text-green" />
      {props.text}
    </a>
  )
}
