import { times } from '#domain/product.ts'
import { guestAccount } from '../database/engine-db.ts'
import type { SomaDb } from '../soma-db.ts'

/**
 * Deletes guests' records after their 24 hours (R58), unless something of their delivery still waits.
 * `now`: milliseconds since 1970.
 */
export async function deleteOldGuests(db: SomaDb, now: number): Promise<void> {
  // One whose time cannot be read is not old: it is quarantined when the app starts again.
  const old = (await db.guests.toArray()).filter(
    ({ createdAt }) => now - Date.parse(createdAt) >= times.guestRecord,
  )
  for (const { id } of old) {
    const row = await db.deliveries.get([guestAccount, id])
    if (!row || (row.known && row.marks.length === 0)) await db.guests.delete(id)
  }
}
