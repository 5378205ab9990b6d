/// <reference lib="webworker" />
import { scope, storagePrefix } from './base-url.ts'

/*
 * Serves the demo's photos from its own database (src/demo/backend/demo-db.ts). It uses IndexedDB
 * without Dexie, because a larger worker delays every opening of the app.
 */

const photosPath = `${scope.pathname}photos/api/images/`

const types: Record<string, string> = {
  svg: 'image/svg+xml',
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
}

export const isDemoPhoto = (url: string): boolean => new URL(url).pathname.startsWith(photosPath)

/** The photo; 404 when the database does not have it or cannot be read. */
export async function serveDemoPhoto(url: string): Promise<Response> {
  const name = new URL(url).pathname.slice(photosPath.length)
  const bytes = await read(name).catch((error) => {
    // biome-ignore lint/suspicious/noConsole: a worker has no other log
    console.warn(`[soma] photo ${name} cannot be read; the page shows a placeholder`, error)
    return undefined
  })
  if (!bytes) return new Response(null, { status: 404 })
  const type = types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
  return new Response(bytes, {
    headers: {
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      // A drawing that is opened by itself must not run scripts.
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    },
  })
}

/** Opens and closes the database for one photo: an open one would block the demo's reset. */
async function read(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const db = await openDatabase()
  try {
    const found: unknown = await resultOf(db.transaction('photos').objectStore('photos').get(name))
    return hasBytes(found) ? found.bytes : undefined
  } finally {
    db.close()
  }
}

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(`${storagePrefix}box`)
  // Only the page may create the database.
  request.onupgradeneeded = () => request.transaction?.abort()
  return resultOf(request)
}

const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

const hasBytes = (found: unknown): found is { bytes: Uint8Array<ArrayBuffer> } =>
  typeof found === 'object' && found !== null && 'bytes' in found
