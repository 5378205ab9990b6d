import { baseUrl, storagePrefix } from '../base-url.ts'

/** The worker's cache of what was shared to the app (sw/share.ts); it is no part of a release. */
const sharedCacheName = `${storagePrefix}soma-shared`
const address = new URL('shared-photo', baseUrl)

/** The photo that was shared to the app; nothing when there is none. */
export async function sharedPhoto(): Promise<Blob | undefined> {
  const found = await caches.match(address, { cacheName: sharedCacheName })
  return found?.blob()
}

/** Once its bytes are stored elsewhere. */
export const forgetSharedPhoto = async (): Promise<void> => {
  await caches.delete(sharedCacheName)
}
