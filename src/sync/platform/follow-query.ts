import { note } from '../database/device/diagnostics.ts'
import { subscribeLive } from '../database/subscribe-live.ts'

/**
 * Calls `next` with the result of a query, and again whenever it changes. A query that fails is
 * noted and followed no longer. Returns how to stop.
 */
export function followQuery<T>(query: () => Promise<T>, next: (value: T) => unknown): () => void {
  const error = (cause: unknown) => note('A live query of the engine failed', { error: cause })
  return subscribeLive(query, { next, error })
}
