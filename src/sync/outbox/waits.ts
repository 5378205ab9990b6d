import { isUndoable, type OutboxEntry } from '../database/entry.ts'
import type { MonotonicTime } from '../time.ts'
import { longest, park } from './backoff.ts'

type Clocks = {
  /** The device's clock, which may be set. Milliseconds since 1970. */
  now: () => number
  monotonic: () => MonotonicTime
}

/** What is stored of a wait. */
type Stored = Pick<OutboxEntry, 'nextAt' | 'wait' | 'held'> &
  Partial<Pick<OutboxEntry, 'state' | 'left'>> & { id?: string | number }

export type Waits = ReturnType<typeof createWaits>

/** Of an entry that can still be undone and was made by a version that did not store for how long, milliseconds. */
const holdOfBefore = 10_000

/**
 * How long this page or worker still waits for what is stored with a time (S44, S60). The stored time is of the
 * device's clock and is compared with it once, when it is first seen; from then on the clock counts that is never
 * set. So the page that began a wait keeps to it exactly, and no other waits longer than the wait is.
 *
 * `isWorker`: what can still be undone is counted from when it was first seen here: its page may show another
 * time, because it slept (S76).
 */
export function createWaits({ now, monotonic }: Clocks, isWorker = false) {
  const seen = new Map<string | number | undefined, { nextAt: number; endsAt: number }>()

  function note(id: Stored['id'], nextAt: number, left: number): number {
    seen.set(id, { nextAt, endsAt: monotonic() + left })
    return left
  }

  return {
    /** Begins a wait of `wait` milliseconds in which an entry can be undone (S60); what is stored of it. */
    hold(id: string, wait: number) {
      const nextAt = now() + wait
      note(id, nextAt, wait)
      return { nextAt, wait, held: true } as const
    },

    /** Milliseconds until its time has come; 0 when it has. */
    left(stored: Stored): number {
      const { id, nextAt } = stored
      if (nextAt === 0) return 0
      const known = seen.get(id)
      if (known?.nextAt === nextAt) return Math.max(0, known.endsAt - monotonic())
      const most = lengthOf(stored)
      if (isWorker && isUndoable(stored)) return note(id, nextAt, most)
      return note(id, nextAt, Math.min(most, Math.max(0, nextAt - now())))
    },
  }
}

/** How long the wait was when it began; of versions that did not store it, the longest that they gave. */
function lengthOf(stored: Stored): number {
  if (stored.wait !== undefined) return stored.wait
  if (isUndoable(stored)) return holdOfBefore
  return stored.held ? park.for : longest
}
