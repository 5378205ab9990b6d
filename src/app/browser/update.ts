import { Workbox } from 'workbox-window'
import { cacheVersion, times } from '#domain/product.ts'
import { isOwnName, isOwnWorker, storagePrefix, workerUrl } from './base-url.ts'

/**
 * Keeps the app up to date (spec §9): registers the service worker, looks for a new one hourly,
 * and reloads when one is there, at the first moment when the person loses nothing by it.
 * `busy`: whether something is being sent or uploaded. What is being typed is seen here.
 */
export function startUpdates({ busy }: { busy: () => boolean }): void {
  const isQuiet = () => !busy() && !isTyping()
  const reloadWhenQuiet = () => whenTrue(isQuiet, reload)
  reloadOnMissingChunk()
  clearOldVersion().then(async (left) => {
    // Not sooner: the cache that a first worker begins to fill would pass for an old release's.
    // In development Vite's own hot reload does this work.
    if (import.meta.env.PROD && 'serviceWorker' in navigator) register(isQuiet, reloadWhenQuiet)
    if (!left) return
    const registration = await navigator.serviceWorker?.getRegistration()
    // The browser goes on with this while the page reloads.
    quietly(registration?.update())
    reloadWhenQuiet()
  })
}

function register(isQuiet: () => boolean, reloadWhenQuiet: () => void) {
  const worker = new Workbox(workerUrl.href)
  const activateWhenQuiet = () => whenTrue(isQuiet, () => worker.messageSkipWaiting())
  worker.addEventListener('waiting', activateWhenQuiet)

  // Whichever tab let the new worker in, this page's release is no longer the worker's. The very
  // first worker takes over a page that is its own.
  let controlled = isOwnWorker(navigator.serviceWorker.controller)
  worker.addEventListener('controlling', () => {
    if (controlled) reloadWhenQuiet()
    controlled = true
  })
  worker.addEventListener('message', ({ data }) => {
    if (data === 'FORCE_REFRESH' || data?.type === 'FORCE_REFRESH') reloadWhenQuiet()
  })
  quietly(
    worker.register().then((registration) => {
      setInterval(() => {
        // After one install that failed, workbox-window no longer tells of the next.
        if (registration?.waiting) activateWhenQuiet()
        quietly(registration?.update())
      }, times.updateCheck)
    }),
  )
}

const reload = () => location.reload()
/** A check that finds no network is made again by the next. */
const quietly = (work: Promise<unknown> | undefined) => work?.catch(() => undefined)

/**
 * Clears what another version of the app left in this browser, and answers whether it found any.
 * Drafts, outbox, photos and guest record live in IndexedDB and are not touched (interfaces:
 * deliberate differences), nor is what was typed last (last-words.ts).
 */
async function clearOldVersion(): Promise<boolean> {
  const known = `${storagePrefix}cacheVersion`
  const isKept = (key: string) =>
    key === 'token' || key === 'user' || key.startsWith(`${storagePrefix}lastWords:`)
  try {
    if (localStorage.getItem(known) === cacheVersion) return false
    const left = Object.keys(localStorage).filter((key) => isOwnName(key) && !isKept(key))
    for (const key of left) localStorage.removeItem(key)
    localStorage.setItem(known, cacheVersion)
    const old = await oldCaches()
    await Promise.all(old.map((name) => caches.delete(name)))
    return left.length > 0 || old.length > 0
  } catch {
    // A browser that forbids storage has nothing old in it.
    return false
  }
}

/**
 * Every cache but the one this very script was loaded from: without its files an app opened with no
 * network could not come back from the reload.
 */
async function oldCaches(): Promise<string[]> {
  if (!('caches' in globalThis)) return []
  const names = (await caches.keys()).filter(isOwnName)
  const held = names.map((name) => caches.match(import.meta.url, { cacheName: name }))
  const own = await Promise.all(held)
  return names.filter((_, i) => own[i] === undefined)
}

/** A chunk of an older release that is gone: the page is loaded again, once a minute at most. */
function reloadOnMissingChunk() {
  const key = `${storagePrefix}reloaded-for-chunk`
  addEventListener('vite:preloadError', (event) => {
    // Without a network it is not an older release's, only never fetched: a reload brings nothing.
    if (!navigator.onLine) return
    const last = Number(sessionStorage.getItem(key))
    if (Date.now() - last < 60_000) return
    sessionStorage.setItem(key, String(Date.now()))
    event.preventDefault()
    reload()
  })
}

/** Text stands in a field, or the cursor does: a reload now would lose it. */
function isTyping(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    'input:not([type=hidden], [type=checkbox], [type=radio]), textarea',
  )
  const editable = [...fields].filter((field) => !field.readOnly && !field.disabled)
  return editable.some((field) => field.value !== '' || field === document.activeElement)
}

function whenTrue(condition: () => boolean, act: () => void) {
  if (condition()) return act()
  const look = setInterval(() => {
    if (!condition()) return
    clearInterval(look)
    act()
  }, 1_000)
}
