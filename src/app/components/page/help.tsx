import { useState } from 'react'
import { product } from '#domain/product.ts'
import { internationalPhone } from '#domain/users/phone.ts'
import { helpContacts } from '#store/queries/config/help-contacts.ts'
import { useLive } from '../../hooks/use-live.ts'
import { Dialog } from '../dialogs/dialog.tsx'
import { buttonClass } from '../forms/button.tsx'
import { Icon } from '../text/icon.tsx'
import { Verbatim } from '../text/verbatim.tsx'

/** Calls the help line (R162). Nothing where there is none. */
export function HelpLine() {
  const phone = useLive(helpContacts)?.supportPhone
  if (!phone) return null
  return (
    <a href={`tel:${phone}`} className={buttonClass('line')}>
      <Icon name="phone" className="size-5 text-green" />
      <span>
        Call {product}&rsquo;s help line{' '}
        <Verbatim className="whitespace-nowrap">{spaced(phone)}</Verbatim>
      </span>
    </a>
  )
}

/** Opens a chat with the office on WhatsApp (R204). Nothing where it has no number. */
function WhatsApp() {
  const phone = useLive(helpContacts)?.whatsapp
  if (!phone) return null
  return (
    <a
      href={`https://wa.me/${internationalPhone(phone)}`}
      target="_blank"
      rel="noopener noreferrer"
      className={buttonClass('line')}
    >
      <Icon name="chat" className="size-5 text-green" />
      Write to {product} on WhatsApp
    </a>
  )
}

const linkClass =
  'inline-grid min-h-12 place-items-center font-semibold text-green underline underline-offset-4'

/**
 * The terms of service, which the phone keeps, or else the way to their address. `before`: words that lead to them. Nothing
 * where there are none.
 */
export function TermsLink({ before }: { before?: string }) {
  const { termsUrl, terms } = useLive(helpContacts) ?? {}
  const [isOpen, setIsOpen] = useState(false)
  if (!termsUrl && !terms) return null
  return (
    <div className="text-center text-sm text-soft">
      {before && <span>{before} </span>}
      {terms ? (
        <button type="button" className={linkClass} onClick={() => setIsOpen(true)}>
          Terms of service
        </button>
      ) : (
        <a href={termsUrl} target="_blank" rel="noopener noreferrer" className={linkClass}>
          Terms of service
        </a>
      )}
      {isOpen && (
        <Dialog title="Terms of service" onClose={() => setIsOpen(false)}>
          <p className="text-left text-base whitespace-pre-line text-ink [overflow-wrap:anywhere]">
            {terms}
          </p>
        </Dialog>
      )}
    </div>
  )
}

/** All of them, where a person looks for help (R227). Nothing where there is none. */
export default function Help() {
  const { supportPhone, whatsapp, termsUrl, terms } = useLive(helpContacts) ?? {}
  if (!supportPhone && !whatsapp && !termsUrl && !terms) return null
  return (
    <section aria-label="Help" className="grid gap-2">
      <HelpLine />
      <WhatsApp />
      <TermsLink />
    </section>
  )
}

/** `0244 123 456`. */
const spaced = (phone: string) => phone.replace(/^(\d{4})(\d{3})(\d{3})$/, '$1 $2 $3')
