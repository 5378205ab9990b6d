import { Refusal } from '#domain/errors.ts'
import { withoutPayoutPhone } from '#domain/payouts/payout-numbers.ts'
import { isOffice, type User } from '#domain/users/user.ts'
import type { Stores } from '../../ports/repo.ts'
import { refreshContacts } from '../contacts.ts'

/**
 * Takes the number from an account because somebody else has confirmed it (R145). The caller has locked the account.
 * Refusal: phone-taken, while it has a delivery or job that has not ended.
 */
export async function takePhone(stores: Stores, holder: User, at: string): Promise<void> {
  const open = await stores.deliveries.lockUnfinishedOf(holder.ID)
  if (open.length > 0)
    throw new Refusal(
      'phone-taken',
      'This number still belongs to an account with a delivery under way. Try again once that has ended, or contact support.',
    )
  await releasePhone(stores, holder, at)
}

/**
 * Leaves an account without a number: it is not verified until it confirms another, and is not paid to this one (R175).
 * The caller has locked the account.
 */
export async function releasePhone(stores: Stores, holder: User, at: string): Promise<void> {
  const left = withoutPayoutPhone(holder, holder.phone_number, Date.parse(at))
  await stores.users.change(holder.ID, {
    payout: left.payout ?? null,
    nextPayout: left.nextPayout ?? null,
    pendingPayout: left.pendingPayout ?? null,
    phone_number: '',
    // An admin needs no number.
    Verified: isOffice(holder),
    phoneChangedAt: at,
  })
  // They were sent to the number.
  await stores.codes.end(holder.ID, 'reset')
  if (!left.pendingPayout) await stores.codes.end(holder.ID, 'payout')
  const changed = await stores.users.get(holder.ID)
  if (changed) await refreshContacts(stores, changed, at)
  await stores.publish({ about: 'me', to: [holder.ID] })
}
