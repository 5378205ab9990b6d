import { keepUpdateIntent } from './update-intent.ts'

/** Milliseconds that a new version may take to install before it is left to the hourly check. */
const patience = 60_000
/** Milliseconds that an installed version may take to control this page. */
const activation = 5_000

/**
 * Fetches the newest version of the app and reloads the page for it (S48). Resolves to false when the
 * server has none that is newer than this one; rejects without a network, unless a new version waits already.
 */
export async function updateNow(): Promise<boolean> {
  const registration = await navigator.serviceWorker?.getRegistration()
  if (!registration) {
    // Without a worker every load is of the newest version.
    location.reload()
    return true
  }
  const worker = await newestWorker(registration)
  if (!worker) return false
  await installed(worker)
  // Asked for by the person: what is typed is kept, so nothing needs to be quiet first.
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), {
    once: true,
  })
  worker.postMessage({ type: 'SKIP_WAITING' })
  // Where the old worker was answering a request just then, Chromium may keep the new one waiting for five minutes,
  // and another load frees it. That page goes on with what the person asked for.
  setTimeout(() => {
    keepUpdateIntent()
    location.reload()
  }, activation)
  return true
}

/** Also where another tab has let the new version in already: then only this page is still the old one. */
export async function updateOrReload(): Promise<void> {
  if (!(await updateNow().catch(() => false))) location.reload()
}

/** A worker that waits is good enough where the network has no newer one within seconds. */
async function newestWorker(registration: ServiceWorkerRegistration) {
  const looked = registration.update()
  const late = new Promise((resolve) => setTimeout(resolve, activation))
  await (registration.waiting ? Promise.race([looked.catch(() => {}), late]) : looked)
  return registration.installing ?? registration.waiting
}

const installed = (worker: ServiceWorker) =>
  new Promise<void>((resolve, reject) => {
    const look = () => {
      if (worker.state === 'redundant') reject(new Error('The new version could not be installed'))
      else if (worker.state !== 'installing') resolve()
    }
    worker.addEventListener('statechange', look)
    setTimeout(() => reject(new Error('The new version did not install in time')), patience)
    look()
  })
