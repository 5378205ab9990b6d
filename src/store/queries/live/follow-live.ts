import { subscribeLive } from '#sync/database/subscribe-live.ts'

/** Milliseconds from one run of a followed query to the next, at least. */
const interval = 250

/** Of a query that takes long, the share of time it may run: one part in so many. */
const idleFactor = 4

/** Milliseconds of a pause, at most: a query may seem to have taken hours where the phone slept meanwhile. */
const longestPause = 10_000

const changed = Symbol('changed')

/** `stale`: a row that the query read has changed; `next` follows with the value as it is then. */
export type Observer<T> = {
  next: (value: T) => unknown
  stale?: () => unknown
  error: (cause: unknown) => unknown
}

/**
 * Follows a live query, at most about four runs a second however often rows change: the first value comes at
 * once, a change after a quiet time is read at once, and the last value always arrives. A query that takes
 * long pauses for longer, up to ten seconds, so that it takes no more than a quarter of the time. Returns how to stop.
 *
 * Dexie alone starts a query again at every change, which never ends while a queue drains.
 */
export function followLive<T>(
  query: () => PromiseLike<T>,
  { next, stale, error }: Observer<T>,
): () => void {
  let stopped = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopListening = () => {}

  const start = () => {
    const startedAt = performance.now()
    let took = 0
    let isFirst = true
    let unseen: { value: T } | undefined
    const deliver = () => {
      if (unseen) next(unseen.value)
      unseen = undefined
    }
    const once = async () => {
      if (!isFirst) return changed
      isFirst = false
      const value = await query()
      took = performance.now() - startedAt
      unseen = { value }
      return value
    }
    stopListening = subscribeLive(once, {
      next: (value) => {
        if (stopped) return
        // A row that changed during the query: its value is shown, and read again after the pause.
        deliver()
        if (value !== changed) return
        stale?.()
        stopListening()
        const pause = Math.min(longestPause, Math.max(interval, took * idleFactor))
        timer = setTimeout(start, Math.max(0, startedAt + pause - performance.now()))
      },
      error: (cause) => !stopped && error(cause),
    })
  }

  start()
  return () => {
    stopped = true
    clearTimeout(timer)
    stopListening()
  }
}
