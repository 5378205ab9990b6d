import type { EngineDb } from '../database/engine-db.ts'
import type { OutboxProduct } from './product.ts'

/** Milliseconds for which an ended entry is there to be seen (S7). */
const shownFor = 72 * 3_600_000

/**
 * Deletes entries that ended 72 hours ago, and with them what nothing needs any more (S11).
 * `now`: milliseconds since 1970.
 */
export async function collectGarbage(
  db: EngineDb,
  product: OutboxProduct,
  now: number,
): Promise<void> {
  const before = now - shownFor
  await db.transaction('rw', [db.outbox, ...product.tables(db)], async () => {
    const old = await db.outbox
      .where('state')
      .anyOf('done', 'cancelled')
      .filter((entry) => (entry.endedAt ?? 0) < before)
      .primaryKeys()
    if (old.length === 0) return
    await db.outbox.bulkDelete(old)
    await product.collectGarbage(db, before)
  })
}
