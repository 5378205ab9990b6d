/** Background Sync, which TypeScript's own library does not know. */
type SyncManager = { register: (tag: string) => Promise<void>; getTags: () => Promise<string[]> }

const tag = 'soma-outbox'
let asking: Promise<void> | undefined

/**
 * Has the worker started when there is a network, page open or not (S35). On a first visit it waits for the worker,
 * without which the browser refuses; meanwhile a second call adds nothing.
 */
export function askForBackgroundSync(): Promise<void> {
  asking ??= ask().finally(() => {
    asking = undefined
  })
  return asking
}

async function ask(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const { sync } = (await navigator.serviceWorker.ready) as { sync?: SyncManager }
  // Asked again while the worker is at it, the browser would start it once more.
  if (sync && !(await sync.getTags()).includes(tag)) await sync.register(tag)
}
