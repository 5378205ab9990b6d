import { isActiveDelivery } from '#domain/deliveries/delivery.ts'
import { type GuestRecord, isGuestRecordValid } from '#domain/deliveries/guest.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import { listKey } from '#sync/lists/list-ref.ts'
import { credentialsFor } from '#sync/outbox/credentials.ts'
import { unsentKeys } from '#sync/outbox/unsent.ts'
import { outboxModel } from '../deliveries/outbox-model.ts'
import { unusedPhotos } from '../deliveries/photos/photos.ts'
import { isReadableGuest, serverRow } from '../deliveries/row-schema.ts'
import type { SomaDb } from '../soma-db.ts'
import { entriesAbout } from './hidden-guests.ts'

// One that cannot be read is not old: it is quarantined when the app starts again.
const isHidden = (record: GuestRecord, now: number) =>
  isReadableGuest(record) && !isGuestRecordValid(record, now)

/** Whether there is a record that `deleteOldGuests` may delete. `now`: milliseconds since 1970. */
export const hasOldGuests = async (db: SomaDb, now: number): Promise<boolean> =>
  (await db.guests.toArray()).some((record) => isHidden(record, now))

/**
 * Deletes guests' records after their 24 hours or their guest's approval (R58), each with its row. The phone's clock
 * alone ends none (S55): the server has ended the delivery, or refuses the token; until then, and while an
 * entry needs it (S11), the record is hidden. `now`: milliseconds since 1970.
 */
export async function deleteOldGuests(db: SomaDb, now: number): Promise<void> {
  const tables = [db.guests, db.deliveries, db.disputes, db.outbox, db.aliases]
  await db.transaction('rw', tables, async () => {
    const needed = await neededGuests(db)
    for (const record of (await db.guests.toArray()).filter((each) => isHidden(each, now))) {
      if (needed.has(record.id) || !(await isOver(db, record))) continue
      await deleteGuest(db, record.id)
    }
  })
}

async function deleteGuest(db: SomaDb, id: string): Promise<void> {
  await db.guests.delete(id)
  await db.deliveries.delete([guestAccount, id])
  await db.disputes.where('[account+DeliveryID]').equals([guestAccount, id]).delete()
}

/** Deletes everything that this phone holds of guests' deliveries which the server has deleted (R216, S89). */
export async function deleteErasedGuests(db: SomaDb, ids: ReadonlySet<string>): Promise<void> {
  await db.transaction('rw', db.tables, async () => {
    const entries = await entriesAbout(db, ids)
    await db.outbox.bulkDelete(entries.map(({ seq }) => seq))
    for (const id of ids) {
      await deleteGuest(db, id)
      await db.handovers.delete([guestAccount, id])
      await db.pulls.delete([guestAccount, listKey({ kind: 'delivery', id })])
    }
    await db.photos.bulkDelete(await unusedPhotos(db))
  })
}

/** IDs of the records by whose token something is still to be sent, or to be tried again by the person. */
async function neededGuests(db: SomaDb): Promise<Set<string>> {
  const keys = [...unsentKeys(guestAccount), [guestAccount, 'refused']]
  const entries = await db.outbox.where('[account+state]').anyOf(keys).toArray()
  const credentials = await credentialsFor(db, outboxModel, entries, undefined)
  return new Set(credentials.map(({ id }) => id))
}

/** When the guest has approved and is done with it (R58). `now`: milliseconds since 1970. */
export async function signGuestOff(db: SomaDb, id: string, now: number): Promise<void> {
  await db.guests.update(id, { isSignedOff: true })
  await deleteOldGuests(db, now)
}

/** Whether the server has said that nothing more can come of this record. */
async function isOver(db: SomaDb, record: GuestRecord): Promise<boolean> {
  const row = await db.deliveries.get([guestAccount, record.id])
  if (row && (!row.known || row.marks.length > 0)) return false
  if (record.moved) return true
  const delivery = row && serverRow(row)
  if (delivery) return !isActiveDelivery(delivery)
  // Without a token nobody can be asked; without an entry nothing was ever requested.
  if (record.guestToken !== undefined) return false
  return (await db.outbox.where('[account+lane]').equals([guestAccount, record.id]).count()) === 0
}
