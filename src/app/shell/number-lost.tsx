import { payoutAt } from '#domain/payouts/payout-numbers.ts'
import { ButtonLink } from '../components/forms/button.tsx'
import { useNow } from '../hooks/time/use-now.ts'
import { useVisitor } from '../hooks/use-visitor.ts'
import { paths } from '../paths.ts'

/** Tells somebody that their phone number has a new owner (R145). */
export default function NumberLost() {
  const { user } = useVisitor()
  const now = useNow(30_000)
  const isUnpaid = user?.role === 'driver' && !payoutAt(user, now)
  return (
    <div className="mb-3 flex flex-wrap items-center justify-between gap-2 rounded-card bg-gold-wash p-3 pl-4">
      <p className="min-w-0 flex-1 basis-60">
        <strong>Your phone number has a new owner.</strong> Add your number to send packages and
        take jobs.
        {isUnpaid && ' You have no payout number now: what is owed to you waits.'}
      </p>
      <ButtonLink to={paths.profile}>Add number</ButtonLink>
    </div>
  )
}
