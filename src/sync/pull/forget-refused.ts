import type { Refused } from '#contract/errors.ts'
import { expireSession } from '#store/account/expire.ts'
import { noteGuestRefusal } from '#store/account/guest-records.ts'
import { guestAccount } from '#store/database/engine-db.ts'
import type { ListRef } from '#store/database/lists.ts'
import { forgetDelivery } from '#store/deliveries/save/account-lists.ts'
import type { SomaDb } from '#store/soma-db.ts'
import type { SyncContext } from '../platform/context.ts'

/** The server refused a read: the token is dead (S14), or the row is no longer this person's to see (S36). */
export async function forgetRefused(
  context: SyncContext<SomaDb>,
  { kind, id }: ListRef,
  account: string,
  { status }: Refused,
): Promise<void> {
  if (status === 401 && account !== guestAccount) await expireSession(context, account)
  const isGuests = account === guestAccount && kind === 'delivery' && id !== undefined
  if (isGuests && (status === 401 || status === 403 || status === 404))
    await noteGuestRefusal(context.db, id)
  if (kind === 'delivery' && id !== undefined && status === 404)
    await forgetDelivery(context.db, account, id, context.clock.now())
}
