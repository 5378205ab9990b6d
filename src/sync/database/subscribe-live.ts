import { liveQuery } from 'dexie'
import { isConnectionLost } from './connection/reconnect.ts'

/** Milliseconds until a query that lost its connection is run again; twice as long each time, up to the longest. */
const firstPause = 250
const longestPause = 10_000

type Observer<T> = { next: (value: T) => unknown; error: (cause: unknown) => unknown }

/**
 * Dexie's live query, which goes on when the connection to the database is lost while it runs (S84): Dexie alone
 * neither runs it again nor reports the error. Returns how to stop.
 */
export function subscribeLive<T>(
  query: () => PromiseLike<T>,
  { next, error }: Observer<T>,
): () => void {
  let stopped = false
  let pause = firstPause
  let timer: ReturnType<typeof setTimeout> | undefined
  let unsubscribe = () => {}

  const start = () => {
    const subscription = liveQuery(async () => {
      try {
        return await query()
      } catch (cause) {
        if (!isConnectionLost(cause)) throw cause
        unsubscribe()
        if (!stopped) timer = setTimeout(start, pause)
        pause = Math.min(longestPause, pause * 2)
        // Nobody hears it any more.
        return undefined as T
      }
    }).subscribe({
      next: (value) => {
        pause = firstPause
        next(value)
      },
      error,
    })
    unsubscribe = () => subscription.unsubscribe()
  }

  start()
  return () => {
    stopped = true
    clearTimeout(timer)
    unsubscribe()
  }
}
