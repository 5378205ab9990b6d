import { hasAny } from '#sync/database/has-any.ts'
import { currentSession } from '../session.ts'
import type { SomaDb } from '../soma-db.ts'

/* What this device holds at all, asked without counting rows. */

/** Whether there is any row that could be unreadable. */
export async function hasRows(db: SomaDb): Promise<boolean> {
  const tables = [db.outbox, db.deliveries, db.guests, db.drafts, db.sessions, db.photos, db.meta]
  return db.transaction('r', tables, async () => {
    const found = await Promise.all(tables.map((table) => hasAny(table)))
    return found.includes(true)
  })
}

/** Whether there is anything that only this device has (S31). */
export const hasUnsynced = async (db: SomaDb): Promise<boolean> =>
  (await hasAny(db.outbox)) || hasAny(db.drafts)

/** Whether something may have ended that is no longer needed. */
export const hasGarbage = async (db: SomaDb): Promise<boolean> =>
  (await hasAny(db.outbox)) || (await hasAny(db.guests)) || hasAny(db.photos)

/** Whether a guest has a token that the server takes for its events. */
export const hasGuestToHear = async (db: SomaDb): Promise<boolean> =>
  hasAny(db.guests.filter(({ guestToken }) => guestToken !== undefined))

/** Whether a job of whoever is logged in was cancelled, and this phone has to confirm it (S63). */
export async function hasUnacknowledgedCancel(db: SomaDb): Promise<boolean> {
  const session = await currentSession(db)
  const key = session && [session.account, 'held']
  return key !== undefined && hasAny(db.deliveries.where('[account+active]').equals(key))
}

/** Whether there is anything of a guest: a record, or an entry of whomever. */
export const hasGuests = async (db: SomaDb): Promise<boolean> =>
  (await hasAny(db.guests)) || hasAny(db.outbox)
