import type { EngineDb } from '../database/engine-db.ts'
import type { OutboxEntry } from './entry.ts'

const first = 1_000
const longest = 5 * 60_000

/** Full jitter: anywhere from now to a bound that doubles from 1 s to 5 min. Milliseconds. */
export function backoff(attempts: number, random: () => number): number {
  const bound = Math.min(longest, first * 2 ** Math.max(0, attempts - 1))
  return Math.round(random() * bound)
}

/** Server failures after which an entry is parked, and how long until its next try. */
export const park = { after: 8, for: 24 * 60 * 60_000 } as const

/**
 * Whether its time has come (S13). A wait longer than any we give was reckoned by another clock, before
 * the person, or the network, set this one back.
 */
export const isDue = (
  { nextAt, held }: Pick<OutboxEntry, 'nextAt' | 'held'>,
  now: number,
): boolean => nextAt <= now || nextAt > now + (held ? park.for : longest)

/** What waits for its next try need not: there is a network again. A time the server named stands. */
export const retryNow = (db: EngineDb): PromiseLike<number> =>
  db.outbox
    .where('state')
    .equals('retrying')
    .filter((entry) => !entry.held)
    .modify({ nextAt: 0 })
