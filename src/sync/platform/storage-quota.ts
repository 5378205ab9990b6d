import type { Tools } from './context.ts'

type Place = Pick<Tools, 'db' | 'cachePrefix'>

/**
 * Does `work`; when the phone has no room for what it writes, what can be fetched again makes way,
 * and it is tried once more. Rejects with the browser's `QuotaExceededError` when nothing helps.
 */
export async function withRoom<T>(place: Place, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isQuota(error)) throw error
    const { makeRoom } = await import('../make-room.ts')
    return makeRoom(place, work)
  }
}

type Methods = Record<string, (...args: never[]) => unknown>

/** The same methods, each tried once more after room was made. */
export const roomy = <T extends Methods>(place: Place, methods: T): T =>
  Object.fromEntries(
    Object.entries(methods).map(([name, method]) => [
      name,
      (...args: never[]) => withRoom(place, async () => method(...args)),
    ]),
  ) as T

/** Dexie wraps what ended a transaction, sometimes twice. */
export function isQuota(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { name, inner } = error as { name?: unknown; inner?: unknown }
  return name === 'QuotaExceededError' || isQuota(inner)
}
