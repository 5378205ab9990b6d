import { internationalPhone } from '#domain/users/phone.ts'
import { firstNameOf } from '#domain/users/user.ts'
import { Icon, type IconName } from '../../../components/text/icon.tsx'

/** `zone`: where they are to be met, for whoever has to go there. */
type Props = { name: string; phone?: string; zone?: string }

/** How to reach the person of the next step, and the place. */
export function ContactButtons({ name, phone, zone }: Props) {
  if (!phone && !zone) return null
  const who = firstNameOf(name)
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(5.5rem,1fr))] gap-2">
      {phone && <Way icon="phone" href={`tel:${phone}`} label={`Call ${name}`} text="Call" />}
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
