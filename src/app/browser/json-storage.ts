import { storagePrefix } from './base-url.ts'

/**
 * One JSON value in local or session storage, read and written synchronously. Where the browser forbids
 * storage, `get` returns undefined and the others do nothing.
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

/** Removes every item of this app in session storage whose name begins with `name`. */
export function removeFromSession(name: string): void {
  try {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith(storagePrefix + name)) sessionStorage.removeItem(key)
  } catch {
    // The browser forbids storage: there is nothing to remove.
  }
}
