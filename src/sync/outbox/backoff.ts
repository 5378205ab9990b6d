import type { EngineDb } from '../database/engine-db.ts'
import { isUndoable } from '../database/entry.ts'

const first = 1_000
/** The longest pause between two tries, milliseconds. */
export const longest = 5 * 60_000

/** Full jitter: anywhere from now to a bound that doubles from 1 s to 5 min. Milliseconds. */
export function backoff(attempts: number, random: () => number): number {
  const bound = Math.min(longest, first * 2 ** Math.max(0, attempts - 1))
  return Math.round(random() * bound)
}

/**
 * An entry is parked after so many server failures that have gone on for so long, and tried again after
 * `for` (S16). Milliseconds. `longestGap`: of the time between two failures no more than this counts.
 */
export const park = {
  after: 8,
  within: 60 * 60_000,
  longestGap: 2 * longest,
  for: 24 * 60 * 60_000,
} as const

/** What waits for its next try need not: there is a network again. A time the server named stands. */
export const retryNow = (db: EngineDb): PromiseLike<number> =>
  db.outbox
    .where('state')
    .equals('retrying')
    .filter((entry) => !entry.held)
    .modify({ nextAt: 0 })

/** What an account can still undo leaves now: the person wants it sent (S60). */
export const endHolds = (db: EngineDb, account: string): PromiseLike<number> =>
  db.outbox
    .where('[account+state]')
    .equals([account, 'waiting'])
    .filter(isUndoable)
    .modify({ nextAt: 0, held: false })
