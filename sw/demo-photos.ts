/// <reference lib="webworker" />
import { scope, storagePrefix } from './base-url.ts'

/*
 * The demo's image provider: photos lie in the demo's own database (src/server/demo/box.ts), which
 * is read here as it is, because Dexie would make every opening of the app wait for it.
 */

const under = `${scope.pathname}photos/api/images/`

const types: Record<string, string> = {
  ...{ svg: 'image/svg+xml', jpg: 'image/jpeg', png: 'image/png' },
  ...{ webp: 'image/webp', gif: 'image/gif', avif: 'image/avif' },
}

export const isDemoPhoto = (url: string): boolean => new URL(url).pathname.startsWith(under)

export async function serveDemoPhoto(url: string): Promise<Response> {
  const name = new URL(url).pathname.slice(under.length)
  const bytes = await read(name).catch(() => undefined)
  if (!bytes) return new Response(null, { status: 404 })
  const type = types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
  return new Response(bytes, {
    headers: {
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      // A drawing opened by itself can do nothing.
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    },
  })
}

/** Opened for one photo and closed, so that the worker is never in the way of a reset. */
async function read(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const db = await opened()
  try {
    const found: unknown = await answer(db.transaction('photos').objectStore('photos').get(name))
    return hasBytes(found) ? found.bytes : undefined
  } finally {
    db.close()
  }
}

function opened(): Promise<IDBDatabase> {
  const request = indexedDB.open(`${storagePrefix}box`)
  // There is none yet, and making one is the page's to do.
  request.onupgradeneeded = () => request.transaction?.abort()
  return answer(request)
}

const answer = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

const hasBytes = (found: unknown): found is { bytes: Uint8Array<ArrayBuffer> } =>
  typeof found === 'object' && found !== null && 'bytes' in found
