/// <reference lib="webworker" />
export type {}

declare const self: ServiceWorkerGlobalScope

/** The address of the page's script; the build inserts it (build-recipient.ts). */
declare const __SCRIPT__: string
/** Differs where the page differs. */
declare const __RELEASE__: string

/* The worker of the recipient's page, below /h/: its two files open without a network (R111). */

const cacheName = `soma-recipient:${__RELEASE__}`
/** One entry for every link: the address before the fragment names the delivery only. */
const page = '/h/'

self.addEventListener('install', (event) => {
  void self.skipWaiting()
  event.waitUntil(store())
})

async function store() {
  const cache = await caches.open(cacheName)
  const files = [page, __SCRIPT__].map((url) => new Request(url, { cache: 'reload' }))
  await cache.addAll(files)
}

self.addEventListener('activate', (event) => event.waitUntil(deleteOld()))

async function deleteOld() {
  const names = await caches.keys()
  const old = names.filter((name) => name.startsWith('soma-recipient:') && name !== cacheName)
  await Promise.all(old.map((name) => caches.delete(name)))
}

self.addEventListener('fetch', (event) => {
  const { mode, url, method } = event.request
  const { origin, pathname } = new URL(url)
  if (method !== 'GET' || origin !== self.location.origin) return
  if (mode === 'navigate') event.respondWith(stored(page, event))
  else if (pathname === __SCRIPT__) event.respondWith(stored(__SCRIPT__, event))
})

async function stored(name: string, event: FetchEvent): Promise<Response> {
  const cache = await caches.open(cacheName)
  const found = await cache.match(name)
  if (found) return found
  // The browser or the person has deleted it. Where it cannot be stored again, the next opening tries.
  event.waitUntil(store().catch(() => {}))
  return fetch(event.request)
}
