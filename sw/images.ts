/// <reference lib="webworker" />

import { storagePrefix } from './base-url.ts'

const prefix = `${storagePrefix}soma-images`
/** Numbered, because earlier caches also hold photos of IDs, which are private now (R55). */
const cacheName = `${prefix}-2`
/** About 20 MB: photos are compressed to about 200 kB before they are uploaded. */
const mostImages = 100

/**
 * A stored photo, else the network's, which is then stored. A photo's name is a hash of its bytes, so
 * it never changes. Requested with CORS, because an opaque response costs 6 MB of quota each.
 */
export async function serveImage(event: FetchEvent): Promise<Response> {
  const { url } = event.request
  const cache = await caches.open(cacheName)
  const stored = await cache.match(url)
  if (stored) return stored
  const response = await fetch(url, { mode: 'cors', credentials: 'omit' })
  if (response.ok && isImage(response) && !isPrivate(response))
    event.waitUntil(store(cache, url, response.clone()))
  return response
}

/** Deletes the photos that earlier releases stored. */
export async function deleteOldImageCaches(): Promise<void> {
  const names = await caches.keys()
  const old = names.filter((name) => name.startsWith(prefix) && name !== cacheName)
  await Promise.all(old.map((name) => caches.delete(name)))
}

const isImage = ({ headers }: Response) => headers.get('content-type')?.startsWith('image/')

/** A response for one person must not stay on the device. */
const isPrivate = ({ headers }: Response) =>
  /\b(no-store|private)\b/i.test(headers.get('cache-control') ?? '')

async function store(cache: Cache, url: string, response: Response) {
  await cache.put(url, response)
  const keys = await cache.keys()
  await Promise.all(keys.slice(0, -mostImages).map((key) => cache.delete(key)))
}
