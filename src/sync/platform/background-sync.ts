/** Background Sync, which TypeScript's own library does not know. */
type SyncManager = { register: (tag: string) => Promise<void>; getTags: () => Promise<string[]> }

const tag = 'soma-outbox'

/** Has the worker started when there is a network, page open or not. */
export async function askForBackgroundSync(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const registration = await navigator.serviceWorker.getRegistration()
  const { sync } = (registration ?? {}) as { sync?: SyncManager }
  // Asked again while the worker is at it, the browser would start it once more.
  if (sync && !(await sync.getTags()).includes(tag)) await sync.register(tag)
}
