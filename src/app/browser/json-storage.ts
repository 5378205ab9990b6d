import { storagePrefix } from './base-url.ts'

/**
 * One JSON value of this app's in the browser's storage, which writes at once. A browser that forbids
 * storage keeps none.
 */
export function jsonItem(storage: () => Storage, name: string) {
  const key = storagePrefix + name
  const attempt = <T>(work: () => T): T | undefined => {
    try {
      return work()
    } catch {
      return undefined
    }
  }
  return {
    get: (): unknown => attempt(() => JSON.parse(storage().getItem(key) ?? 'null')),
    set: (value: unknown): void => attempt(() => storage().setItem(key, JSON.stringify(value))),
    remove: (): void => attempt(() => storage().removeItem(key)),
  }
}

/** Forgets everything of the tab's that begins with this name. */
export function removeFromSession(name: string): void {
  try {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith(storagePrefix + name)) sessionStorage.removeItem(key)
  } catch {
    // A browser that forbids storage has kept nothing.
  }
}
