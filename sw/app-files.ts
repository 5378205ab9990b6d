/// <reference lib="webworker" />

/*
 * The app's own files. Each release fills a cache of its own, named after its list of files, before
 * it is activated, so a page never mixes two releases. An install that was interrupted leaves what it
 * has stored, and the next one continues from there.
 */

import { inDemo, scope, storagePrefix } from './base-url.ts'

type AppFile = { url: string; integrity: string }

/** The list that the build inserts (build.ts), as paths below the scope. */
declare const __PRECACHE__: AppFile[]
/** Files that are stored when the page asks for them. */
declare const __PARTS__: AppFile[]

const inScope = (path: string) => scope.pathname + path
const listed = (list: AppFile[]) => list.map((file) => ({ ...file, url: inScope(file.url) }))
const files = listed(__PRECACHE__)
const parts = listed(__PARTS__)
const prefix = `${storagePrefix}soma-app-`
const precacheName = prefix + fingerprint(files.map((file) => file.integrity).join())
/** Holds chunks that are not on the list: rarely opened screens, and chunks of the last release. */
const chunkCacheName = `${storagePrefix}soma-used`
const mostChunks = 60

/**
 * Fetches the files of this release that are not stored yet, and the parts that the release before had stored.
 * Rejects when one cannot be fetched.
 */
export async function precache(): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(prefix))
  const kept = new Set((await Promise.all(names.map(storedPaths))).flat().map(partName))
  await store([...files, ...parts.filter(({ url }) => kept.has(partName(url)))])
}

/** Stores the parts of these names, such as `scan-dialog`. Rejects when one cannot be fetched. */
export const storeParts = (names: readonly string[]): Promise<void> =>
  store(parts.filter(({ url }) => names.includes(partName(url))))

/** The name of a file without its folder, hash and ending. */
const partName = (path: string) => path.replace(/^.*\//, '').replace(/-[\w-]{6,8}\.js$/, '')

async function storedPaths(cacheName: string): Promise<string[]> {
  const keys = await (await caches.open(cacheName)).keys()
  return keys.map((request) => new URL(request.url).pathname)
}

async function store(wanted: AppFile[]): Promise<void> {
  const cache = await caches.open(precacheName)
  const stored = new Set(await storedPaths(precacheName))
  const missing = wanted.filter((file) => !stored.has(file.url))
  // Four at a time: on a slow network, more parallel downloads would all be cut off unfinished.
  const workers = Array.from({ length: 4 }, async () => {
    for (let file = missing.pop(); file; file = missing.pop()) await add(cache, file)
  })
  await Promise.all(workers)
}

/** Answers any navigation of the app with its one page. */
export async function serveIndexPage(event: FetchEvent): Promise<Response> {
  const page = await matchPrecached(inScope('index.html'))
  if (page) return inDemo ? withAbsoluteUrls(page) : page
  // The browser or the person has deleted the cache: the network serves the page, and it is refilled.
  event.waitUntil(
    precache().catch((error) => {
      // biome-ignore lint/suspicious/noConsole: a worker has no other log
      console.warn('[soma] the app was not stored again; the next visit tries again', error)
    }),
  )
  return fetch(event.request)
}

/** A file of this release, else a stored chunk, else the network's response, which is stored if it never changes. */
export async function serveFile(event: FetchEvent): Promise<Response> {
  const { request } = event
  const { pathname } = new URL(request.url)
  const stored =
    (await matchPrecached(pathname)) ?? (await caches.match(request, { cacheName: chunkCacheName }))
  if (stored) return stored
  const response = await fetch(request)
  // Only names with a hash in them; HTML under such a name is a captive portal's page.
  if (
    pathname.startsWith(inScope('assets/')) &&
    response.ok &&
    !response.redirected &&
    !isHtml(response)
  )
    event.waitUntil(storeChunk(request, response.clone()))
  return response
}

/** Deletes the files of earlier releases. */
export async function deleteOldPrecaches(): Promise<void> {
  const names = await caches.keys()
  const old = names.filter((name) => name.startsWith(prefix) && name !== precacheName)
  await Promise.all(old.map((name) => caches.delete(name)))
}

const matchPrecached = (url: string) =>
  caches.match(url, { cacheName: precacheName, ignoreVary: true })

/** The demo's page names its files relative to itself, which does not work below a deep link. */
async function withAbsoluteUrls(page: Response): Promise<Response> {
  const text = await page.text()
  return new Response(text.replaceAll('="./', `="${scope.pathname}`), { headers: page.headers })
}

async function add(cache: Cache, file: AppFile) {
  const response = (await matchOldPrecache(file.url)) ?? (await download(file))
  await cache.put(file.url, response)
}

/** A file of an earlier release: the same name with a hash in it means the same bytes. */
async function matchOldPrecache(url: string): Promise<Response | undefined> {
  if (!url.startsWith(inScope('assets/'))) return undefined
  for (const name of await caches.keys()) {
    if (!name.startsWith(prefix) || name === precacheName) continue
    const stored = await caches.match(url, { cacheName: name, ignoreVary: true })
    if (stored) return stored
  }
  return undefined
}

/**
 * Takes the HTTP cache's copy, because the page has just loaded most files; where its bytes are not
 * the build's, asks the network. Throws when those are not the build's either.
 */
async function download({ url, integrity }: AppFile): Promise<Response> {
  const request = (cache: RequestCache) => fetch(url, { integrity, cache })
  const response = await request('default').catch(() => request('reload'))
  if (!response.ok || response.redirected) throw new Error(`${url}: ${response.status}`)
  return response
}

async function storeChunk(request: Request, response: Response) {
  const cache = await caches.open(chunkCacheName)
  await cache.put(request, response)
  const keys = await cache.keys()
  await Promise.all(keys.slice(0, -mostChunks).map((key) => cache.delete(key)))
}

const isHtml = (response: Response) => response.headers.get('content-type')?.startsWith('text/html')

/** FNV-1a of the text. It names a cache; nothing relies on it for security. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash >>> 0).toString(36)
}
