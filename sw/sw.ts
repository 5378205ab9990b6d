/// <reference lib="webworker" />
import { drain } from '#sync/worker.ts'
import { fill, forgetOldApps, page, stored } from './app-files.ts'
import { image } from './images.ts'
import { kindOf } from './requests.ts'

declare const self: ServiceWorkerGlobalScope

/** Background Sync, which TypeScript's own library does not know. */
type SyncEvent = ExtendableEvent & { readonly tag: string }

self.addEventListener('install', (event) => event.waitUntil(fill()))

self.addEventListener('activate', (event) =>
  event.waitUntil(forgetOldApps().then(() => self.clients.claim())),
)

self.addEventListener('fetch', (event) => {
  switch (kindOf(event.request, self.location.origin)) {
    case 'page':
      return event.respondWith(page(event))
    case 'file':
      return event.respondWith(stored(event.request))
    case 'image':
      return event.respondWith(image(event))
    // Everything else, all of /api with it, goes to the network as if nobody stood here.
  }
})

self.addEventListener('sync', (event) => {
  const sync = event as SyncEvent
  if (sync.tag === 'soma-outbox') sync.waitUntil(drain())
})

self.addEventListener('message', (event) => {
  if (event.data?.type === 'SKIP_WAITING') event.waitUntil(self.skipWaiting())
})
