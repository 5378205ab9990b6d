/// <reference lib="webworker" />
import type { drain } from '#sync/worker.ts'
import { fill, forgetOldApps, page, stored } from './app-files.ts'
import { image } from './images.ts'
import { kindOf } from './requests.ts'

declare const self: ServiceWorkerGlobalScope & { drainOutbox?: typeof drain }

/** Address of the built `outbox.ts` (vite.config.ts). */
declare const __OUTBOX__: string

/** Background Sync, which TypeScript's own library does not know. */
type SyncEvent = ExtendableEvent & { readonly tag: string }

self.addEventListener('install', (event) => {
  // A script that was not imported by the end of the install cannot be later.
  importScripts(__OUTBOX__)
  event.waitUntil(fill())
})

self.addEventListener('activate', (event) =>
  event.waitUntil(forgetOldApps().then(() => self.clients.claim())),
)

self.addEventListener('fetch', (event) => {
  switch (kindOf(event.request, self.location.origin)) {
    case 'page':
      return event.respondWith(page(event))
    case 'file':
      return event.respondWith(stored(event))
    case 'image':
      return event.respondWith(image(event))
    // Everything else, all of /api with it, goes to the network as if nobody stood here.
  }
})

self.addEventListener('sync', (event) => {
  const sync = event as SyncEvent
  if (sync.tag === 'soma-outbox') sync.waitUntil(sendWhatWaits())
})

self.addEventListener('message', (event) => {
  if (event.data?.type === 'SKIP_WAITING') event.waitUntil(self.skipWaiting())
})

/** Rejects while something still waits, so that the browser tries again later. */
async function sendWhatWaits() {
  if (!self.drainOutbox) importScripts(__OUTBOX__)
  await self.drainOutbox?.(new URL('api', self.registration.scope).href)
}
