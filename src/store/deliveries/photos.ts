import { isUnsent, type OutboxEntry } from '../outbox/entry.ts'
import type { SomaDb } from '../soma-db.ts'

/** Photos that only this phone has: of drafts, and of what has not been sent (S11). */
export const unsentPhotos = (db: SomaDb): Promise<Set<string>> =>
  usedPhotos(db, (entry) => isUnsent(entry) || entry.state === 'refused')

/** Deletes photos stored before `before` (milliseconds since 1970) that no entry and no draft names. */
export async function deleteUnusedPhotos(db: SomaDb, before: number): Promise<void> {
  const used = await usedPhotos(db, () => true)
  const unused = await db.photos
    .filter((photo) => !used.has(photo.id) && photo.keptAt < before)
    .primaryKeys()
  await db.photos.bulkDelete(unused)
}

async function usedPhotos(
  db: SomaDb,
  counts: (entry: OutboxEntry) => boolean,
): Promise<Set<string>> {
  const used = new Set<string>()
  await db.outbox.each((entry) => {
    if (counts(entry)) for (const photo of entry.photos) used.add(photo)
  })
  await db.drafts.each(({ value }) => value.photo && used.add(value.photo))
  return used
}
