import { deleteState, getState, putState } from '#sync/database/device/state.ts'
import type { EngineDb } from '#sync/database/engine-db.ts'

/** What every cache of photos is called after the prefix of its app; the worker adds a version. */
const name = 'soma-images'

/**
 * Deletes the photos the service worker has cached; they are fetched again when they are shown.
 * `prefix`: of the names this app keeps things under. The caches of the demo and of the app beside it
 * belong to each alone.
 */
export async function deleteCachedImages(prefix: string): Promise<void> {
  try {
    const names = (await globalThis.caches?.keys()) ?? []
    const ours = names.filter((each) => each.startsWith(prefix + name))
    await Promise.all(ours.map((each) => caches.delete(each)))
  } catch {
    // A browser that forbids caches has none.
  }
}

/** Notes, with the logout itself, that cached photos must go: a page killed before goes on later (S38). */
export const noteCachedImages = (db: EngineDb) => putState(db, 'imagesToDrop', true)

/** Deletes the photos of a logout that has not yet done so. */
export async function deleteNotedImages(db: EngineDb, cachePrefix: string): Promise<void> {
  if (!(await getState(db, 'imagesToDrop'))) return
  await deleteCachedImages(cachePrefix)
  await deleteState(db, 'imagesToDrop')
}
