/// <reference lib="webworker" />

/*
 * The app's own files. Each release fills a cache of its own, named after its list, before it takes
 * over; a page therefore never mixes two releases. What was filled stays when an install is cut off,
 * and the next try goes on from there.
 */

import { inDemo, scope, storagePrefix } from './base-url.ts'

type AppFile = { url: string; integrity: string }

/** The build's list (build.ts), as paths from the app's home. */
declare const __PRECACHE__: AppFile[]

const below = (path: string) => scope.pathname + path
const files = __PRECACHE__.map((file) => ({ ...file, url: below(file.url) }))
const prefix = `${storagePrefix}soma-app-`
const cacheName = prefix + fingerprint(files.map((file) => file.integrity).join())
/** Chunks that are not on the list: screens few people open, and those of the release before. */
const usedName = `${storagePrefix}soma-used`
const usedLimit = 60

/** Fetches every file of this release that is not here yet. Rejects when one cannot be had. */
export async function precache(): Promise<void> {
  const cache = await caches.open(cacheName)
  const held = new Set((await cache.keys()).map((request) => new URL(request.url).pathname))
  const missing = files.filter((file) => !held.has(file.url))
  // Four at a time: a slow line shared by all would let none of them arrive before it breaks.
  const lanes = Array.from({ length: 4 }, async () => {
    for (let file = missing.pop(); file; file = missing.pop()) await add(cache, file)
  })
  await Promise.all(lanes)
}

/** Any navigation of the app is answered by its one page. */
export async function serveIndexPage(event: FetchEvent): Promise<Response> {
  const held = await own(below('index.html'))
  if (held) return inDemo ? anywhere(held) : held
  // The browser or the person emptied the cache: the app still opens, and is fetched again.
  event.waitUntil(precache().catch(() => undefined))
  return fetch(event.request)
}

/** A file of this release, or one met before, or the network's, which is then kept if it never changes. */
export async function serveFile(event: FetchEvent): Promise<Response> {
  const { request } = event
  const { pathname } = new URL(request.url)
  const held = (await own(pathname)) ?? (await caches.match(request, { cacheName: usedName }))
  if (held) return held
  const answer = await fetch(request)
  // Only names with a hash in them; a portal's page under such a name is HTML.
  if (pathname.startsWith(below('assets/')) && answer.ok && !answer.redirected && !isHtml(answer))
    event.waitUntil(keep(request, answer.clone()))
  return answer
}

export async function deleteOldPrecaches(): Promise<void> {
  const names = await caches.keys()
  const old = names.filter((name) => name.startsWith(prefix) && name !== cacheName)
  await Promise.all(old.map((name) => caches.delete(name)))
}

const own = (url: string) => caches.match(url, { cacheName, ignoreVary: true })

/** The demo's page names its files from where it lies itself, which a deep link is not. */
async function anywhere(page: Response): Promise<Response> {
  const text = await page.text()
  return new Response(text.replaceAll('="./', `="${scope.pathname}`), { headers: page.headers })
}

async function add(cache: Cache, file: AppFile) {
  const answer = (await inOldApp(file.url)) ?? (await download(file))
  await cache.put(file.url, answer)
}

/** A name with a hash in it holds the same bytes in every release. */
async function inOldApp(url: string): Promise<Response | undefined> {
  if (!url.startsWith(below('assets/'))) return undefined
  for (const name of await caches.keys()) {
    if (!name.startsWith(prefix) || name === cacheName) continue
    const held = await caches.match(url, { cacheName: name, ignoreVary: true })
    if (held) return held
  }
  return undefined
}

/** The page has just loaded most of these: what the HTTP cache holds is good, unless its bytes are not the build's. */
async function download({ url, integrity }: AppFile): Promise<Response> {
  const ask = (cache: RequestCache) => fetch(url, { integrity, cache })
  const answer = await ask('default').catch(() => ask('reload'))
  if (!answer.ok || answer.redirected) throw new Error(`${url}: ${answer.status}`)
  return answer
}

async function keep(request: Request, answer: Response) {
  const cache = await caches.open(usedName)
  await cache.put(request, answer)
  const keys = await cache.keys()
  await Promise.all(keys.slice(0, -usedLimit).map((key) => cache.delete(key)))
}

const isHtml = (answer: Response) => answer.headers.get('content-type')?.startsWith('text/html')

/** FNV-1a over the text: a name, not a protection. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash >>> 0).toString(36)
}
