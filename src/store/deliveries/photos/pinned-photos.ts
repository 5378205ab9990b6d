import type { SomaDb } from '../../soma-db.ts'

/** Photos taken in this page: a form that is open may show one that no draft names yet. */
const takenHere = new WeakMap<SomaDb, Set<string>>()

/** Keeps a photo for as long as this page is open. */
export function pinPhoto(db: SomaDb, id: string): void {
  takenHere.set(db, (takenHere.get(db) ?? new Set()).add(id))
}

/** Whether the photo was taken in this page. */
export const isPinnedPhoto = (db: SomaDb, id: string): boolean =>
  takenHere.get(db)?.has(id) ?? false
