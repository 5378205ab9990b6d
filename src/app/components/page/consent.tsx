import { useState } from 'react'
import { retention } from '#domain/personal/retention.ts'
import { product } from '#domain/product.ts'
import { Dialog } from '../dialogs/dialog.tsx'

/** What a person agrees to before something of theirs is sent for the first time (R219). `by`: `signing up`. */
export function Consent({ by }: { by: string }) {
  return (
    <div className="grid text-sm text-soft">
      <p>
        By {by} you agree that {product} stores what you enter here and shows the other party what a
        delivery needs.
      </p>
      <PrivacyLink />
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

/** How long each thing is kept, in days (R218). Deliveries and the account have no end of their own. */
const kept: readonly [what: string, days: number][] = [
  ['A login you no longer use', retention.unusedSession],
  ['A driver’s ID photo, after the decision', retention.idPhoto],
  ['A photo that nothing shows', retention.unusedPhoto],
  ['Our replies to your requests', retention.response],
  ['What your phone reports for support', retention.device],
  ['Lines of our office’s activity list', retention.activity],
  ['Notifications', retention.notification],
  ['Failed attempts and SMS codes', retention.attempt],
]

function PrivacyText() {
  return (
    <div className="grid gap-4">
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
          {kept.map(([what, days]) => (
            <div key={what} className="flex justify-between gap-4">
              <dt>{what}</dt>
              <dd className="whitespace-nowrap font-semibold">
                {days === 1 ? '1 day' : `${days} days`}
              </dd>
            </div>
          ))}
        </dl>
        <p>Your account and your deliveries stay until you delete your account.</p>
      </section>
      <p>
        In Account you can download your data and delete your account. Your deliveries then name a
        deleted user; what you and the other party wrote to each other, ratings and payments stay.
        Notes that our office keeps for itself are not part of the download.
      </p>
    </div>
  )
}
