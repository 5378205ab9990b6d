import type { Entry } from '#store/deliveries/operations.ts'
import type { SomaDb } from '#store/soma-db.ts'

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
 * Whether its time has come. A wait longer than any we give was reckoned by another clock, before
 * the person, or the network, set this one back.
 */
export const isDue = ({ nextAt, held }: Pick<Entry, 'nextAt' | 'held'>, now: number): boolean =>
  nextAt <= now || nextAt > now + (held ? park.for : longest)

/** What waits for its next try need not: there is a network again. A time the server named stands. */
export const tryNow = (db: SomaDb): PromiseLike<number> =>
  db.outbox
    .where('state')
    .equals('retrying')
    .filter((entry) => !entry.held)
    .modify({ nextAt: 0 })
