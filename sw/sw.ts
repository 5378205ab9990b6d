/// <reference lib="webworker" />
import type { drain, pullScreen } from '#store/worker.ts'
import { deleteOldPrecaches, precache, serveFile, serveIndexPage, storeParts } from './app-files.ts'
import { inDemo, scope } from './base-url.ts'
import { isDemoPhoto, serveDemoPhoto } from './demo-photos.ts'
import { deleteOldImageCaches, serveImage } from './images.ts'
import { countOnIcon, openPush, showPush } from './push.ts'
import { requestKind } from './requests.ts'
import { takeShared } from './share.ts'

declare const self: ServiceWorkerGlobalScope & {
  drainOutbox?: typeof drain
  pullScreen?: typeof pullScreen
}

/** The address of the built `outbox.ts` (build.ts); empty in the demo, whose server runs in its page. */
declare const __OUTBOX__: string

/** TypeScript's own library does not declare Background Sync. */
type SyncEvent = ExtendableEvent & { readonly tag: string }

self.addEventListener('install', (event) => {
  // Browsers refuse a later import of a script that was not imported during the install.
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
    case 'shared':
      return event.respondWith(takeShared(request))
    case 'page':
      return event.respondWith(serveIndexPage(event))
    case 'file':
      return event.respondWith(serveFile(event))
    case 'image':
      return event.respondWith(serveImage(event))
    // Everything else, such as /api, goes to the network without this worker.
  }
})

self.addEventListener('sync', (event) => {
  const sync = event as SyncEvent
  if (sync.tag === 'soma-outbox') sync.waitUntil(sendOutbox())
})

self.addEventListener('push', (event) => event.waitUntil(showPush(event).then(pullPushed)))
self.addEventListener('notificationclick', (event) => event.waitUntil(openPush(event.notification)))
self.addEventListener('notificationclose', (event) => event.waitUntil(countOnIcon()))

self.addEventListener('message', (event) => {
  if (event.data?.type === 'SKIP_WAITING') event.waitUntil(self.skipWaiting())
  if (event.data?.type === 'STORE_PARTS')
    event.waitUntil(
      storeParts(event.data.parts).catch((error) => {
        // biome-ignore lint/suspicious/noConsole: a worker has no other log
        console.warn('[soma] a part was not stored; the page asks again', error)
      }),
    )
})

/** S35: sends with every tab closed. Rejects while entries wait, so that the browser tries again. */
async function sendOutbox() {
  importOutbox()
  await self.drainOutbox?.(apiBase)
}

/** S82: what a message names is on the phone when it is tapped. */
async function pullPushed(path: string) {
  importOutbox()
  await self.pullScreen?.(apiBase, path)
}

const apiBase = new URL('api', scope).href

function importOutbox() {
  if (__OUTBOX__ && !self.drainOutbox) importScripts(__OUTBOX__)
}
