import { storagePrefix } from '#app/browser/base-url.ts'

/*
 * The demo's databases are one house with many tabs in it. Each holds the house's lock together with
 * the others; whoever tears it down asks them to leave, and waits until it has the lock alone.
 */

const name = `${storagePrefix}house`
const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(name) : undefined
/** A tab that is frozen cannot leave; the browser takes its databases from it. Milliseconds. */
const patience = 3_000

let moveOut = () => {}

/** Resolves when nobody is tearing the house down. `onLeave` runs when somebody wants to. */
export async function moveIn(onLeave: () => void): Promise<void> {
  channel?.addEventListener('message', onLeave)
  if (!navigator.locks) return
  await new Promise<void>((movedIn) => {
    void navigator.locks.request(name, { mode: 'shared' }, () => {
      movedIn()
      return new Promise<void>((leave) => {
        moveOut = leave
      })
    })
  })
}

/** One tab builds while the others wait. */
export async function alone(work: () => Promise<void>): Promise<void> {
  if (!navigator.locks) return work()
  await navigator.locks.request(`${name}:build`, work)
}

/** Removes everything the demo ever kept under its name. The page must be loaded again afterwards. */
export async function tearDown(): Promise<void> {
  moveOut()
  channel?.postMessage('leave')
  if (!navigator.locks) return removeAll()
  await navigator.locks
    .request(name, { signal: AbortSignal.timeout(patience) }, removeAll)
    .catch(removeAll)
}

async function removeAll(): Promise<void> {
  const all = (await indexedDB.databases?.()) ?? []
  const names = all.flatMap((each) => (each.name?.startsWith(storagePrefix) ? [each.name] : []))
  await Promise.all(names.map(remove))
  for (const storage of [localStorage, sessionStorage])
    for (const key of Object.keys(storage))
      if (key.startsWith(storagePrefix)) storage.removeItem(key)
}

const remove = (name: string) =>
  new Promise<void>((resolve) => {
    const request = indexedDB.deleteDatabase(name)
    request.onsuccess = () => resolve()
    request.onerror = () => resolve()
    // It is deleted as soon as the last tab lets go.
    request.onblocked = () => resolve()
  })
