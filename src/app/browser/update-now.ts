/** Milliseconds that a new version may take to install before it is left to the hourly check. */
const patience = 60_000

/**
 * Fetches the newest version of the app and reloads the page for it (S48). Resolves to false when the
 * server has none that is newer than this one; rejects without a network.
 */
export async function updateNow(): Promise<boolean> {
  const registration = await navigator.serviceWorker?.getRegistration()
  if (!registration) {
    // Without a worker every load is of the newest version.
    location.reload()
    return true
  }
  await registration.update()
  const worker = registration.installing ?? registration.waiting
  if (!worker) return false
  await installed(worker)
  // Asked for by the person: what is typed is kept, so nothing needs to be quiet first.
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), {
    once: true,
  })
  worker.postMessage({ type: 'SKIP_WAITING' })
  return true
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
