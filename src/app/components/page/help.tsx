import { product } from '#domain/product.ts'
import { helpContacts } from '#store/queries/config/help-contacts.ts'
import { useLive } from '../../hooks/use-live.ts'
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

/** `before`: words that lead to the link. Nothing where there are no terms. */
export function TermsLink({ before }: { before?: string }) {
  const address = useLive(helpContacts)?.termsUrl
  if (!address) return null
  return (
    <p className="text-center text-sm text-soft">
      {before && <span>{before} </span>}
      <a
        href={address}
        target="_blank"
        rel="noopener noreferrer"
        className="inline-grid min-h-12 place-items-center font-semibold text-green underline underline-offset-4"
      >
        Terms of service
      </a>
    </p>
  )
}

/** Both, where a person looks for help. Nothing where there is neither. */
export default function Help() {
  const { supportPhone, termsUrl } = useLive(helpContacts) ?? {}
  if (!supportPhone && !termsUrl) return null
  return (
    <section aria-label="Help" className="grid gap-1">
      <HelpLine />
      <TermsLink />
    </section>
  )
}

/** `0244 123 456`. */
const spaced = (phone: string) => phone.replace(/^(\d{4})(\d{3})(\d{3})$/, '$1 $2 $3')
