import type { PromiseExtended } from 'dexie'
import { type EngineDb, guestAccount, type Session } from '../database/engine-db.ts'
import { mayHaveArrived, type OutboxEntry } from '../database/entry.ts'
import { getMany } from '../database/get-many.ts'
import type { Leased } from '../model.ts'
import type { MonotonicTime } from '../time.ts'

/** A lease outlives every deadline a call has; only a killed sender's runs out. Milliseconds. */
const leaseFor = 200_000

/** Who leases, and the state of the device. */
export type Holder = {
  /** Names this tab or worker. */
  id: string
  now: MonotonicTime
  /** Whether a lock keeps every other sender out, and falls when its holder dies. */
  isAlone: boolean
}

/**
 * The entry marked as being sent by `holder`, so that nobody else sends it (S17). Whatever the device says
 * of its network, the request may leave from now on (S40).
 */
export const leased = (entry: OutboxEntry, { id, now }: Holder): OutboxEntry => ({
  ...entry,
  state: 'sending',
  lease: { holder: id, until: now + leaseFor },
  left: true,
})

/** One that a killed sender had leased may have left with it: it does not become one that waits. */
export const unleased = ({ before }: Leased): OutboxEntry => ({
  ...before,
  state: before.state === 'sending' ? 'retrying' : before.state,
  left: mayHaveArrived(before) || undefined,
  lease: undefined,
})

/**
 * Whether another sender may still be sending it. Only where no lock keeps others out: holding the
 * lock proves that whoever leased the entry is gone.
 */
export const isLeasedElsewhere = ({ lease }: OutboxEntry, { id, now, isAlone }: Holder): boolean =>
  !isAlone &&
  lease !== undefined &&
  lease.until > now &&
  // One that ends later than any was made by a clock that has been set back since.
  lease.until <= now + leaseFor &&
  lease.holder !== id

/** Entries leave only under the account that made them, and not while its token is dead (S8, S14). */
export const sendableAccounts = (session: Session | undefined): string[] =>
  session && !session.expired ? [guestAccount, session.account] : [guestAccount]

/** Entries as they stand now, in the order of `entries`. */
export const storedEntries = (
  db: EngineDb,
  entries: readonly OutboxEntry[],
): PromiseExtended<(OutboxEntry | undefined)[]> =>
  getMany(
    db.outbox,
    entries.map(({ seq }) => seq),
  )
