/// <reference lib="webworker" />

import { storagePrefix } from './base-url.ts'

const prefix = `${storagePrefix}soma-images`
/** The caches before this one also held photos of IDs, which are private now. */
const cacheName = `${prefix}-2`
/** Photos are compressed before they are uploaded, to about 200 kB: this is some 20 MB. */
const limit = 100

/**
 * A photo met before, else the network's, kept. Photos are named by their bytes and never change.
 * Asked with CORS, because an opaque answer is charged 6 MB of quota each.
 */
export async function serveImage(event: FetchEvent): Promise<Response> {
  const { url } = event.request
  const cache = await caches.open(cacheName)
  const held = await cache.match(url)
  if (held) return held
  const answer = await fetch(url, { mode: 'cors', credentials: 'omit' })
  if (answer.ok && isImage(answer) && !isPrivate(answer))
    event.waitUntil(keep(cache, url, answer.clone()))
  return answer
}

/** What earlier releases kept. */
export async function deleteOldImageCaches(): Promise<void> {
  const names = await caches.keys()
  const old = names.filter((name) => name.startsWith(prefix) && name !== cacheName)
  await Promise.all(old.map((name) => caches.delete(name)))
}

const isImage = ({ headers }: Response) => headers.get('content-type')?.startsWith('image/')

/** An answer for one person alone never stays on the phone. */
const isPrivate = ({ headers }: Response) =>
  /\b(no-store|private)\b/i.test(headers.get('cache-control') ?? '')

async function keep(cache: Cache, url: string, answer: Response) {
  await cache.put(url, answer)
  const keys = await cache.keys()
  await Promise.all(keys.slice(0, -limit).map((key) => cache.delete(key)))
}
