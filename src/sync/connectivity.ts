/** What the page can tell of the world around it: hints, never truth (design). */
export type Surroundings = {
  /** Calls back when the network may be there again, or the page is looked at again. */
  onBack: (work: () => void) => () => void
  isVisible: () => boolean
  /** The person asked their phone to save data. */
  isThrifty: () => boolean
}

export const pageSurroundings: Surroundings = {
  onBack: (work) => {
    const shown = () => document.visibilityState === 'visible' && work()
    addEventListener('online', work)
    document.addEventListener('visibilitychange', shown)
    return () => {
      removeEventListener('online', work)
      document.removeEventListener('visibilitychange', shown)
    }
  },
  isVisible: () => document.visibilityState === 'visible',
  isThrifty: () =>
    (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true,
}

/** Asks the browser to wake the service worker when there is a network, page open or not. */
export async function askForBackgroundSync(): Promise<void> {
  if (typeof navigator === 'undefined' || !('serviceWorker' in navigator)) return
  const registration = await navigator.serviceWorker.getRegistration()
  const sync = (registration as { sync?: { register: (tag: string) => Promise<void> } } | undefined)
    ?.sync
  await sync?.register('soma-outbox').catch(() => {})
}
