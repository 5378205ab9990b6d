import type { Refused } from '#contract/errors.ts'
import { expireSession } from '#store/account/expire.ts'
import { noteGuestRefusal } from '#store/account/guest-records.ts'
import type { Reader } from '#store/account/reader.ts'
import { guestAccount } from '#store/database/engine-db.ts'
import type { ListRef } from '#store/database/lists.ts'
import { noteRefusedDelivery } from '#store/deliveries/save/refused-delivery.ts'
import type { SomaDb } from '#store/soma-db.ts'
import type { SyncContext } from '../platform/context.ts'

/** The server refused a read: the token is dead (S14), or the row is no longer this person's to see (S36). */
export async function forgetRefused(
  context: SyncContext<SomaDb>,
  { kind, id }: ListRef,
  { account, question }: Reader,
  { status }: Refused,
): Promise<void> {
  if (status === 401 && account !== guestAccount)
    await expireSession(context, account, question.token)
  if (kind !== 'delivery' || id === undefined) return
  const { db, clock } = context
  const isRefused = status === 403 || status === 404
  const isGuestRefused = account === guestAccount && (status === 401 || isRefused)
  if (isGuestRefused) await noteGuestRefusal(db, id)
  if (isRefused || isGuestRefused) await noteRefusedDelivery(db, account, id, clock)
}
