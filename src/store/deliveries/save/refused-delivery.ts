import { deleteState, getState, putState } from '#sync/database/device/state.ts'
import { pullInFull } from '#sync/lists/full-pulls.ts'
import { isStillHere } from '#sync/lists/pulls.ts'
import type { SomaDb } from '../../soma-db.ts'
import { dropMissing } from './full-responses.ts'

/** Milliseconds between the first refusal of a row and the one that is believed. */
const confirmAfter = 5_000
/** Kinds of lists that may hold a delivery. */
export const deliveryLists = [
  'sent',
  'jobs',
  'available',
  'adminDeliveries',
  'adminUser',
  'adminDispute',
] as const

/**
 * The server refused this account a delivery. A row this phone holds leaves it only when it was refused
 * twice, some seconds apart; then the lists that may hold it are asked for in full, so that it comes back
 * if it is there (S36, S49). A request of their own that was under way can be sent again (S54).
 */
export async function noteRefusedDelivery(
  db: SomaDb,
  account: string,
  id: string,
  clock: { now: () => number; monotonic: () => number },
): Promise<void> {
  const now = clock.monotonic()
  const subject = `${account}:${id}`
  await db.transaction('rw', db.tables, async () => {
    if (!(await isStillHere(db, account))) return
    const row = await db.deliveries.get([account, id])
    if (row?.known) {
      const first = await getState(db, `refused:${subject}`)
      const isNew = first === undefined || first > now
      if (isNew) await putState(db, `refused:${subject}`, now)
      if (isNew || now - first < confirmAfter) return
      const times = { askedAt: first, serverAt: now, now: clock.now() }
      await dropMissing(db, [id], { account, ...times })
      await pullInFull(db, account, deliveryLists)
    }
    await deleteState(db, `refused:${subject}`)
    await putState(db, `gone:${subject}`, now)
  })
}

/** The server responded for the delivery: refusals before do not count any more. */
export async function forgetRefusal(db: SomaDb, account: string, id: string): Promise<void> {
  const subject = `${account}:${id}`
  if ((await getState(db, `refused:${subject}`)) !== undefined)
    await deleteState(db, `refused:${subject}`)
}

/** Notes whether our server refuses the token of a guest's record (S74). */
export async function noteMoved(db: SomaDb, id: string, moved: boolean): Promise<void> {
  const record = await db.guests.get(id)
  if (record && (record.moved ?? false) !== moved)
    await db.guests.update(id, { moved: moved || undefined })
}
