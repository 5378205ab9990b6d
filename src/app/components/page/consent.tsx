import { useState } from 'react'
import { retention } from '#domain/personal/retention.ts'
import { product } from '#domain/product.ts'
import { privacy } from '#store/queries/config/privacy.ts'
import { useLive } from '../../hooks/use-live.ts'
import { useVisitor } from '../../hooks/use-visitor.ts'
import { guestErasurePath } from '../../paths.ts'
import { Dialog } from '../dialogs/dialog.tsx'
import { Link } from '../forms/link.tsx'
import { TermsLink } from './help.tsx'

/** What a person agrees to before something of theirs is sent for the first time (R219). `by`: `signing up`. */
export function Consent({ by }: { by: string }) {
  return (
    <div className="grid text-sm text-soft">
      <p>
        By {by} you agree that {product} stores what you enter here and shows the other party what a
        delivery needs.
      </p>
      <PrivacyLink />
      <TermsLink before={`By ${by} you agree to our`} />
    </div>
  )
}

/** Opens the privacy text. */
export function PrivacyLink() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className="min-h-12 justify-self-start font-semibold text-green underline underline-offset-4"
        onClick={() => setIsOpen(true)}
      >
        How we use your data
      </button>
      {isOpen && (
        <Dialog title="How we use your data" onClose={() => setIsOpen(false)}>
          <PrivacyText />
        </Dialog>
      )}
    </>
  )
}

/** What is kept for some time (R218). Deliveries and the account have no end of their own. */
const keptTexts: Record<keyof typeof retention, string> = {
  unusedSession: 'A login you no longer use',
  session: 'Any login, until you log in again',
  guestToken: 'A guest’s access to a delivery that ended',
  idPhoto: 'A driver’s ID photo, after the decision',
  unusedPhoto: 'A photo that nothing shows',
  response: 'Our replies to your requests, with their request keys',
  refusal: 'Replies that refused a request',
  device: 'What your phone reports for support',
  activity: 'Lines of our office’s activity list',
  notification: 'Notifications',
  attempt: 'Failed attempts and SMS codes',
}
const kinds = Object.keys(keptTexts) as (keyof typeof retention)[]

function PrivacyText() {
  const { user } = useVisitor()
  const { text, kept } = useLive(privacy) ?? { kept: retention }
  return (
    <div className="grid gap-4">
      {text && <p className="whitespace-pre-line [overflow-wrap:anywhere]">{text}</p>}
      <p>
        We store your name, email, phone number and deliveries, with their recipients, places and
        photos. Of drivers we also store the ID, licence, commutes and payout number.
      </p>
      <p>
        Sender and driver see each other’s name, number and places while a delivery is under way,
        and a first name afterwards. Our office sees deliveries and accounts, to help and to decide
        issues.
      </p>
      <section className="grid gap-2" aria-labelledby="kept">
        <h3 id="kept" className="text-base font-semibold">
          How long we keep it
        </h3>
        <dl className="grid gap-1 text-sm">
          {kinds.map((kind) => (
            <div key={kind} className="flex justify-between gap-4">
              <dt>{keptTexts[kind]}</dt>
              <dd className="whitespace-nowrap font-semibold">
                {kept[kind] === 1 ? '1 day' : `${kept[kind]} days`}
              </dd>
            </div>
          ))}
        </dl>
        <p>
          Your account and your deliveries stay until you delete your account, or what you sent as a
          guest.
        </p>
      </section>
      <p>
        In Account you can download your data and delete your account. Your deliveries then name a
        deleted user; what you and the other party wrote to each other, ratings and payments stay.
        Notes that our office keeps for itself are not part of the download.
      </p>
      {!user && (
        <Link
          to={guestErasurePath}
          className="flex min-h-12 items-center font-semibold text-green underline"
        >
          Delete what you sent as a guest
        </Link>
      )}
    </div>
  )
}
