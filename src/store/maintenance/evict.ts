import type { Table } from 'dexie'
import { guestAccount } from '#sync/database/engine-db.ts'
import { unsentPhotos } from '../deliveries/photos/photos.ts'
import type { DeliveryRow } from '../rows.ts'
import type { SomaDb } from '../soma-db.ts'

/**
 * Deletes what can be fetched again (S26). What only this phone has stays: the outbox, drafts, photos
 * not yet sent, the login, and the delivery or job that is under way.
 */
export async function evict(db: SomaDb): Promise<void> {
  const pulled: Table[] = [
    db.pages,
    db.users,
    db.drivers,
    db.disputes,
    db.activities,
    db.stats,
    db.trends,
    db.ownSessions,
    db.audit,
    db.devices,
    db.money,
    db.payouts,
    // They stand in the requests they were made with.
    db.places,
  ]
  const tables = [...pulled, db.deliveries, db.pulls, db.photos, db.outbox, db.drafts, db.setAside]
  await db.transaction('rw', tables, async () => {
    for (const table of pulled) await table.clear()
    // Without a cursor the lists come whole again.
    await db.pulls.clear()
    await db.deliveries.filter(canBeFetchedAgain).delete()
    const needed = await unsentPhotos(db)
    await db.photos.filter(({ id, url }) => url !== undefined && !needed.has(id)).delete()
  })
}

const canBeFetchedAgain = ({ account, known, marks, active }: DeliveryRow) =>
  known && marks.length === 0 && active === undefined && account !== guestAccount
