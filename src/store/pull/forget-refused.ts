import { Refused, Unreachable } from '#contract/wire-errors.ts'
import { withProof } from '#sync/challenge/with-proof.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import type { ListRef } from '#sync/lists/list-ref.ts'
import type { SyncContext } from '#sync/platform/context.ts'
import { expireSession } from '../account/expire.ts'
import type { Reader } from '../account/reader.ts'
import { acknowledgedCreate, sayLost } from '../deliveries/save/lost.ts'
import { noteMoved, noteRefusedDelivery } from '../deliveries/save/refused-delivery.ts'
import { callIfThere } from '../requests/call-if-there.ts'
import type { SomaDb } from '../soma-db.ts'

/** The server refused a read: the token is dead (S14, S74), or the row is no longer this person's to see (S36). */
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
  if (status === 401 && account === guestAccount) await noteRefusedToken(context, id)
  if (status === 403 || status === 404) await noteRefusedDelivery(db, account, id, clock)
}

/**
 * A guest's token is no longer taken: the delivery was opened on another phone since, unless the server was restored
 * and knows nothing of its request. Then nothing is withdrawn that there is (S54, S74).
 */
async function noteRefusedToken(context: SyncContext<SomaDb>, id: string): Promise<void> {
  const { db, clock } = context
  if ((await db.guests.get(id))?.moved) return
  const askedAt = clock.monotonic()
  const create = await acknowledgedCreate(db, id)
  const state = create && (await stateOf(context, create.id, create.input.guestSecret))
  if (state === 'unknown') return
  if (!create || state !== 'withdrawn') return noteMoved(db, id, true)
  const response = { account: guestAccount, askedAt, serverAt: clock.monotonic(), now: clock.now() }
  await db.transaction('rw', db.tables, async () => sayLost(db, [create.id], response))
}

/** What the server says of a guest's request; `unknown` where it does not respond. */
async function stateOf(context: SyncContext<SomaDb>, key: string, guestSecret: string) {
  try {
    const response = await withProof(context, (proof) =>
      callIfThere(context, 'withdrawRequest', { id: key, body: { guestSecret }, proof }),
    )
    return response?.value?.state
  } catch (error) {
    if (error instanceof Refused || error instanceof Unreachable) return 'unknown'
    throw error
  }
}
