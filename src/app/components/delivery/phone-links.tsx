import { internationalPhone } from '#domain/users/phone.ts'
import { copyText } from '../../browser/device/clipboard.ts'
import { IconButton } from '../forms/button.tsx'
import { Icon } from '../text/icon.tsx'

type Of = { name: string; phone: string }

/** `whose` is the person's role, as in `Copy driver phone`. */
export const CopyPhone = ({ name, phone, whose }: Of & { whose: string }) => (
  <IconButton
    icon="copy"
    label={`Copy ${whose.toLowerCase()} phone`}
    onClick={() => copyText(phone, `${name}'s number`)}
  />
)

export const WhatsAppLink = ({ name, phone }: Of) => (
  <a
    href={`https://wa.me/${internationalPhone(phone)}`}
    target="_blank"
    rel="noreferrer"
    aria-label={`WhatsApp ${name}`}
    className="grid size-12 shrink-0 place-items-center rounded-full text-green"
  >
    <Icon name="chat" />
  </a>
)

export const CallLink = ({ name, phone }: Of) => (
  <a
    href={`tel:${phone}`}
    aria-label={`Call ${name}`}
    className="grid size-12 shrink-0 place-items-center rounded-full bg-green-wash text-green"
  >
    <Icon name="phone" />
  </a>
)
