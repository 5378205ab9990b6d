import type { Table } from 'dexie'
import { guestAccount } from '#store/database/engine-db.ts'
import type { DeliveryRow } from '#store/rows.ts'
import type { SomaDb } from '#store/soma-db.ts'
import type { Tools } from './platform/context.ts'
import { dropImages } from './platform/image-cache.ts'
import { isQuota } from './platform/storage-quota.ts'
import { unsentPhotos } from './tidy.ts'

/**
 * Takes away what can be fetched again, then does `work` once more, and notes how that ended for the
 * person to read. What only this phone has stays: the outbox, drafts, photos not yet sent, whoever
 * is logged in, and the delivery or job that is under way.
 */
export async function makeRoom<T>(
  { db, cachePrefix }: Pick<Tools, 'db' | 'cachePrefix'>,
  work: () => Promise<T>,
): Promise<T> {
  // The app's own files stay.
  await dropImages(cachePrefix)
  await evict(db)
  try {
    const done = await work()
    await note(db, 'made')
    return done
  } catch (error) {
    if (isQuota(error)) await note(db, 'none')
    throw error
  }
}

async function evict(db: SomaDb): Promise<void> {
  const pulled = [
    db.pages,
    db.users,
    db.drivers,
    db.disputes,
    db.activities,
    db.stats,
    db.trends,
    db.ownSessions,
    db.audit,
  ]
  const tables = [...pulled, db.deliveries, db.pulls, db.photos, db.outbox, db.drafts] as Table[]
  await db.transaction('rw', tables, async () => {
    for (const table of pulled as Table[]) await table.clear()
    // Without a cursor the lists are told whole again.
    await db.pulls.clear()
    await db.deliveries.filter(canBeFetchedAgain).delete()
    const needed = await unsentPhotos({ db })
    await db.photos.filter(({ id, url }) => url !== undefined && !needed.has(id)).delete()
  })
}

const canBeFetchedAgain = ({ account, known, marks, active }: DeliveryRow) =>
  known && marks.length === 0 && active === undefined && account !== guestAccount

/** `made`: lists were taken away, and it was enough; `none`: it was not. */
async function note(db: SomaDb, room: 'made' | 'none'): Promise<void> {
  try {
    await db.meta.put({ key: 'room', value: { room, at: Date.now() } })
  } catch {
    // Not even room for this line: whoever asked hears it from the error.
  }
}
