import { storagePrefix } from '#app/browser/base-url.ts'
import { note } from '#sync/database/device/diagnostics.ts'
import { removeAll } from './tab-state.ts'

/*
 * All tabs of the demo share its databases. Each tab holds a lock in shared mode; a tab that deletes
 * the databases asks the others to reload, and waits until it has the lock alone. Lock and channel
 * end in `house`, as in earlier versions.
 */

const name = `${storagePrefix}house`
const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(name) : undefined
/** Milliseconds that others get: a frozen tab does not answer, and its databases are deleted anyway. */
const patience = 3_000

let releaseLock = () => {}

/**
 * Resolves when no other tab is deleting the databases. `onDelete` runs when another tab is about to
 * delete them.
 */
export async function openDemoDatabases(onDelete: () => void): Promise<void> {
  channel?.addEventListener('message', onDelete)
  if (!navigator.locks) return
  await new Promise<void>((opened) => {
    void navigator.locks.request(name, { mode: 'shared' }, () => {
      opened()
      return new Promise<void>((release) => {
        releaseLock = release
      })
    })
  })
}

/** Runs `work` in one tab at a time. Without Web Locks it runs at once. */
export async function withBuildLock(work: () => Promise<void>): Promise<void> {
  if (!navigator.locks) return work()
  await navigator.locks.request(`${name}:build`, work)
}

/** Deletes everything that all tabs share. The page must be reloaded afterwards. */
export async function deleteDemoDatabases(): Promise<void> {
  releaseLock()
  channel?.postMessage('leave')
  if (!navigator.locks) return deleteAll()
  await navigator.locks
    .request(name, { signal: AbortSignal.timeout(patience) }, deleteAll)
    .catch((error) => {
      note('another tab keeps the demo’s databases; deleting them anyway', { error })
      return deleteAll()
    })
}

async function deleteAll(): Promise<void> {
  const databases = (await indexedDB.databases?.()) ?? []
  const names = databases.flatMap(({ name }) => (name?.startsWith(storagePrefix) ? [name] : []))
  await Promise.all(names.map(deleteDatabase))
  removeAll(localStorage)
}

const deleteDatabase = (name: string) =>
  new Promise<void>((resolve) => {
    const request = indexedDB.deleteDatabase(name)
    request.onsuccess = () => resolve()
    request.onerror = () => resolve()
    // The browser deletes it as soon as the last tab closes it.
    request.onblocked = () => resolve()
  })
