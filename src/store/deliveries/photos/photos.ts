import { isUnsent, type OutboxEntry } from '#sync/database/entry.ts'
import type { SomaDb } from '../../soma-db.ts'
import { isPinnedPhoto } from './pinned-photos.ts'

/** Photos that only this phone has: of drafts, of what has not been sent, and of what was set aside (S11). */
export const unsentPhotos = (db: SomaDb): Promise<Set<string>> =>
  namedPhotos(db, (entry) => isUnsent(entry) || entry.state === 'refused')

/** Photos that no entry, draft, set-aside row or open form names (S11). Reads outbox, drafts, setAside and photos. */
export async function unusedPhotos(db: SomaDb): Promise<string[]> {
  const ids = await db.photos.toCollection().primaryKeys()
  if (ids.length === 0) return []
  const named = await namedPhotos(db, () => true)
  return ids.filter((id) => !named.has(id) && !isPinnedPhoto(db, id))
}

/** Every text of what may name a photo: what was made by another version names it who knows where. */
async function namedPhotos(
  db: SomaDb,
  counts: (entry: OutboxEntry) => boolean,
): Promise<Set<string>> {
  const texts = new Set<string>()
  await db.outbox.each((entry) => {
    if (counts(entry)) addTexts([entry.photos, entry.input], texts)
  })
  await db.drafts.each(({ value }) => addTexts(value, texts))
  await db.setAside.each(({ value }) => addTexts(value, texts))
  return texts
}

/** Adds every text within a stored value. */
export function addTexts(value: unknown, texts: Set<string>): void {
  if (typeof value === 'string') texts.add(value)
  else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value))
    for (const each of Object.values(value)) addTexts(each, texts)
}
