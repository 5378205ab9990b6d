import type { PromiseExtended } from 'dexie'
import type { Actor } from '#domain/deliveries/delivery.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import { pushKey } from '../account/notifications.ts'
import type { DeliveryRow, HandoverKey } from '../rows.ts'
import { actorOf } from '../session.ts'
import type { SomaDb } from '../soma-db.ts'
import { deliveryRowAndSession } from './deliveries.ts'
import { type EntryInFull, entryInFull } from './outbox/outbox.ts'
import { needsUpdate } from './pulls.ts'

/** What the screen of one delivery draws. */
export type Room = {
  row: DeliveryRow
  /** Who the person on this device is towards it. */
  who: Actor | undefined
  /** Only a newer version of the app can read what the server has of it (S48). */
  isOld: boolean
  /** The guest's number, where the delivery was opened on another phone since (S74). */
  movedPhone: string | undefined
  /** Its guest has approved it on this phone: the record goes once that has arrived (R58). */
  isEnding: boolean
  /** The server sends push messages. */
  isOffered: boolean
  /** The entries of its pending operations, by ID. */
  entries: ReadonlyMap<string, EntryInFull>
}

/** One delivery with all that its screen draws at once, so that nothing appears after it; `null` without a row. */
export const room = (db: SomaDb, id: string, now = Date.now()): PromiseExtended<Room | null> =>
  db.transaction(
    'r',
    [db.sessions, db.aliases, db.deliveries, db.guests, db.setAside, db.meta, db.outbox],
    async () => {
      const { row, session } = await deliveryRowAndSession(db, id, now)
      if (!row) return null
      const guest = row.account === guestAccount ? await db.guests.get(row.ID) : undefined
      const entries = new Map<string, EntryInFull>()
      for (const { entry } of row.marks) {
        const found = await entryInFull(db, entry)
        if (found) entries.set(entry, found)
      }
      return {
        row,
        who: actorOf(session, row.account, row.ID),
        isOld: await needsUpdate(db, row.ID),
        movedPhone: guest?.moved && guest.senderPhone,
        isEnding: guest?.isApproved === true && row.view.status === 'Approved',
        isOffered: (await pushKey(db)) !== undefined,
        entries,
      }
    },
  )

/** The secret that proves the hand-over of a row (R110); `null` where another phone drew it, or none did. */
export const handoverKey = async (
  db: SomaDb,
  { account, ID }: Pick<DeliveryRow, 'account' | 'ID'>,
): Promise<HandoverKey | null> => (await db.handovers.get([account, ID])) ?? null
