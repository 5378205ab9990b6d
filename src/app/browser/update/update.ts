import { cacheVersion, times } from '#domain/product.ts'
import { note } from '#sync/database/device/diagnostics.ts'
import { isOwnName, isOwnWorker, storagePrefix, workerUrl } from '../base-url.ts'
import { firstScreen } from '../first-screen.ts'
import { takeUpdateIntent } from './update-intent.ts'
import { announceUpdate } from './update-ready.ts'

/**
 * Milliseconds from finding a new worker to activating it. While the old worker handles requests, as during a
 * page load, Chromium may keep the new one waiting for five minutes.
 */
const settling = 2_000

declare global {
  /** The worker that served this page when it began (src/head.ts); missing in development. */
  var firstController: ServiceWorker | null | undefined
}

type UpdateOptions = {
  /** Whether something is being sent or uploaded. */
  busy: () => boolean
}

/**
 * Registers the service worker, checks for a new one hourly, and reloads the page for it when nothing is
 * being typed, sent or uploaded (R83).
 */
export function startUpdates({ busy }: UpdateOptions): void {
  const isWanted = takeUpdateIntent()
  const isQuiet = () => (isWanted && performance.now() < 60_000) || (!busy() && !isTyping())
  const reloadWhenQuiet = () => whenTrue(isQuiet, reload)
  if (import.meta.env.PROD && 'serviceWorker' in navigator)
    reloadForNewController(isQuiet, reloadWhenQuiet)
  clearOldVersion().then(async (left) => {
    // Only now, because the cache that a first worker fills would look like one of an old release. In
    // development Vite's hot reload replaces this.
    if (import.meta.env.PROD && 'serviceWorker' in navigator)
      whenLoaded(() => noteFailure(register(isQuiet, reloadWhenQuiet)))
    if (!left) return
    const registration = await navigator.serviceWorker?.getRegistration()
    // The browser continues this while the page reloads.
    noteFailure(registration?.update())
    reloadWhenQuiet()
  })
}

/**
 * Calls `work` after the first screen, and on a first visit a while later: what the worker fetches would share the
 * phone's bandwidth with it.
 */
function whenLoaded(work: () => void): void {
  const later = () => setTimeout(work, 1_000)
  if (navigator.serviceWorker.controller) void firstScreen().then(work)
  else if (document.readyState === 'complete') later()
  else addEventListener('load', later, { once: true })
}

/**
 * Reloads for a new controller: it belongs to a newer release than this page, whichever tab activated it. The first
 * worker of all belongs to the same release.
 */
function reloadForNewController(isQuiet: () => boolean, reloadWhenQuiet: () => void): void {
  const { serviceWorker } = navigator
  const first = globalThis.firstController ?? serviceWorker.controller
  let isControlled = isOwnWorker(first)
  const onChange = () => {
    if (isControlled && !isQuiet()) announceUpdate()
    if (isControlled) reloadWhenQuiet()
    isControlled = true
  }
  serviceWorker.addEventListener('controllerchange', onChange)
  if (serviceWorker.controller !== first) onChange()
}

async function register(isQuiet: () => boolean, reloadWhenQuiet: () => void) {
  navigator.serviceWorker.addEventListener('message', ({ data }) => {
    if (data === 'FORCE_REFRESH' || data?.type === 'FORCE_REFRESH') reloadWhenQuiet()
  })
  const registration = await navigator.serviceWorker.register(workerUrl)
  const activateWhenQuiet = () => {
    if (!registration.waiting) return
    if (!isQuiet()) announceUpdate()
    whenTrue(isQuiet, () => registration.waiting?.postMessage({ type: 'SKIP_WAITING' }))
  }
  const settle = () => setTimeout(activateWhenQuiet, settling)
  const follow = () => registration.installing?.addEventListener('statechange', settle)
  registration.addEventListener('updatefound', follow)
  settle()
  setInterval(() => noteFailure(registration.update()), times.updateCheck)
}

const reload = () => location.reload()
/** Notes a failed check, which is expected offline: the next hourly check repeats it. */
const noteFailure = (work: Promise<unknown> | undefined) =>
  work?.catch((error: unknown) => note('The check for an update failed', { error }))

/**
 * Clears local storage and caches of another version (R84). Resolves to whether there was anything to
 * clear. Data in IndexedDB and the backup of the draft (draft-backup.ts) stay.
 */
async function clearOldVersion(): Promise<boolean> {
  const known = `${storagePrefix}cacheVersion`
  const isKept = (key: string) =>
    ['token', 'user', 'soma-theme'].includes(key) || key.startsWith(`${storagePrefix}lastWords:`)
  try {
    if (localStorage.getItem(known) === cacheVersion) return false
    const left = Object.keys(localStorage).filter((key) => isOwnName(key) && !isKept(key))
    for (const key of left) localStorage.removeItem(key)
    localStorage.setItem(known, cacheVersion)
    const old = await oldCaches()
    await Promise.all(old.map((name) => caches.delete(name)))
    return left.length > 0 || old.length > 0
  } catch {
    // The browser forbids storage: there is nothing old in it.
    return false
  }
}

/** Every cache but the one that holds this script: an app opened offline needs its files to reload. */
async function oldCaches(): Promise<string[]> {
  if (!('caches' in globalThis)) return []
  // A photo that was just shared to the app is no part of a release (shared-photo.ts).
  const names = (await caches.keys())
    .filter(isOwnName)
    .filter((name) => !name.endsWith('soma-shared'))
  const held = names.map((name) => caches.match(import.meta.url, { cacheName: name }))
  const own = await Promise.all(held)
  return names.filter((_, i) => own[i] === undefined)
}

/** Whether a field holds text or has the focus. */
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
