import type { Tools } from './context.ts'

/** What every cache of photos is called after the prefix of its app; the worker adds a version. */
const name = 'soma-images'

/**
 * Deletes the photos the service worker has met; they are fetched again when they are shown.
 * `prefix`: of the names this app keeps things under. The caches of the demo and of the app beside it
 * belong to each alone.
 */
export async function dropImages(prefix: string): Promise<void> {
  try {
    const names = (await globalThis.caches?.keys()) ?? []
    const ours = names.filter((each) => each.startsWith(prefix + name))
    await Promise.all(ours.map((each) => caches.delete(each)))
  } catch {
    // A browser that forbids caches has none.
  }
}

/** Set in `meta` with the logout itself: a page that is killed before it has deleted them goes on later. */
export const imagesToDrop = 'imagesToDrop'

export async function dropImagesLeft({
  db,
  cachePrefix,
}: Pick<Tools, 'db' | 'cachePrefix'>): Promise<void> {
  if (!(await db.meta.get(imagesToDrop))) return
  await dropImages(cachePrefix)
  await db.meta.delete(imagesToDrop)
}
