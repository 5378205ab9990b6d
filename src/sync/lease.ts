import type { PromiseExtended } from 'dexie'
import { guestAccount } from '#store/database/engine-db.ts'
import { byKeys } from '#store/database/get-many.ts'
import type { Entry } from '#store/deliveries/operations.ts'
import { mayHaveArrived } from '#store/outbox/enqueue.ts'
import type { Session } from '#store/rows.ts'
import type { SomaDb } from '#store/soma-db.ts'
import type { Papers } from './papers.ts'
import type { Tools } from './platform/context.ts'

/** A lease outlives every deadline a call has; only a killed sender's runs out. */
const leaseFor = 200_000

/** An entry that is marked as being sent, and as it was before, should it not leave after all. */
export type Leased = { entry: Entry; was: Entry; papers: Papers }

/** Marked, so that nobody else sends it. */
export const lent = (entry: Entry, { clock, holder, isOffline }: Tools): Entry => ({
  ...entry,
  state: 'sending',
  lease: { holder, until: clock.now() + leaseFor },
  left: mayHaveArrived(entry) || !isOffline?.() || undefined,
})

/** One that a killed sender had taken may have left with it: it does not become one that waits. */
export const asItWas = ({ was }: Leased): Entry => ({
  ...was,
  state: was.state === 'sending' ? 'retrying' : was.state,
  left: mayHaveArrived(was) || undefined,
  lease: undefined,
})

/**
 * Whether another sender may still be at it. Only where there are no Web Locks: holding the lock
 * proves that whoever leased the entry is gone.
 */
export const isLent = ({ lease }: Entry, { clock, holder, locks }: Tools): boolean =>
  !locks.exclusive &&
  lease !== undefined &&
  lease.until > clock.now() &&
  // One that ends later than any was made by a clock that has been set back since.
  lease.until <= clock.now() + leaseFor &&
  lease.holder !== holder

/** Entries leave only under the account that made them, and not while its token is dead. */
export const accountsOf = (session: Session | undefined): string[] =>
  session && !session.expired ? [guestAccount, session.account] : [guestAccount]

/** Entries as they stand now, in the order they are given. */
export const asStored = (
  db: SomaDb,
  entries: readonly Entry[],
): PromiseExtended<(Entry | undefined)[]> =>
  byKeys(
    db.outbox,
    entries.map(({ seq }) => seq),
  )
