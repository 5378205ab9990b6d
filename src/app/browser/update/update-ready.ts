let isReady = false
const listeners = new Set<() => void>()

/** Whether a new version is installed and waits for a moment in which nothing is typed or sent (R83). */
export const isUpdateReady = (): boolean => isReady

/** Says so to whoever listens. The page is reloaded for the new version, so that it is never taken back. */
export function announceUpdate(): void {
  isReady = true
  for (const notify of listeners) notify()
}

/** Calls back when a new version waits. Returns the function that ends it. */
export function onUpdateReady(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
