/// <reference lib="webworker" />
import type { drain } from '#sync/worker.ts'
import { deleteOldPrecaches, precache, serveFile, serveIndexPage } from './app-files.ts'
import { inDemo, scope } from './base-url.ts'
import { isDemoPhoto, serveDemoPhoto } from './demo-photos.ts'
import { deleteOldImageCaches, serveImage } from './images.ts'
import { requestKind } from './requests.ts'

declare const self: ServiceWorkerGlobalScope & { drainOutbox?: typeof drain }

/** Address of the built `outbox.ts` (build.ts); empty in the demo, whose server lives in its page. */
declare const __OUTBOX__: string

/** Background Sync, which TypeScript's own library does not know. */
type SyncEvent = ExtendableEvent & { readonly tag: string }

self.addEventListener('install', (event) => {
  // A script that was not imported by the end of the install cannot be later.
  if (__OUTBOX__) importScripts(__OUTBOX__)
  event.waitUntil(precache())
})

self.addEventListener('activate', (event) =>
  event.waitUntil(
    Promise.all([deleteOldPrecaches(), deleteOldImageCaches()]).then(() => self.clients.claim()),
  ),
)

self.addEventListener('fetch', (event) => {
  const { request } = event
  if (inDemo && isDemoPhoto(request.url)) return event.respondWith(serveDemoPhoto(request.url))
  switch (requestKind(request, scope)) {
    case 'page':
      return event.respondWith(serveIndexPage(event))
    case 'file':
      return event.respondWith(serveFile(event))
    case 'image':
      return event.respondWith(serveImage(event))
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
  if (!__OUTBOX__) return
  if (!self.drainOutbox) importScripts(__OUTBOX__)
  await self.drainOutbox?.(new URL('api', scope).href)
}
