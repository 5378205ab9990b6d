import { Dexie } from 'dexie'
import type { EngineDb } from '../database/engine-db.ts'
import { type OutboxEntry, unsentStates } from '../database/entry.ts'
import { hasAny } from '../database/has-any.ts'

/** Keys of an account's unsent entries in the index of accounts and states. */
export const unsentKeys = (account: string): [string, string][] =>
  unsentStates.map((state) => [account, state])

/** An account's unsent entries, in the order they were made. */
export const unsentEntries = (db: EngineDb, account: string): PromiseLike<OutboxEntry[]> =>
  db.outbox.where('[account+state]').anyOf(unsentKeys(account)).sortBy('seq')

/** How many entries of an account are unsent. */
export const countUnsent = (db: EngineDb, account: string): PromiseLike<number> =>
  db.outbox.where('[account+state]').anyOf(unsentKeys(account)).count()

/** How many entries of all accounts are unsent; one count for each state, because IndexedDB does not walk for it. */
export const countAllUnsent = (db: EngineDb): Promise<number> =>
  db.transaction('r', db.outbox, async () => {
    const counts = unsentStates.map((state) => db.outbox.where('state').equals(state).count())
    return (await Dexie.Promise.all(counts)).reduce((sum, count) => sum + count, 0)
  })

/** Whether any account has something unsent, parked entries included. */
export const hasUnsent = (db: EngineDb): PromiseLike<boolean> =>
  hasAny(db.outbox.where('state').anyOf(unsentStates))

/** Whether a sender has something to do, soon or later: parked entries do not count. */
export const hasSendable = (db: EngineDb): PromiseLike<boolean> =>
  hasAny(db.outbox.where('state').anyOf('waiting', 'sending', 'retrying'))

/** Whether something was enqueued that no sender has looked at. */
export const hasWaiting = (db: EngineDb): PromiseLike<boolean> =>
  hasAny(db.outbox.where('state').equals('waiting'))

/** Unsent entries that can no longer leave because `entry` will not: named parents, all the way down (S4). */
export const dependantsOf = async (db: EngineDb, entry: OutboxEntry): Promise<OutboxEntry[]> =>
  dependantsAmong(await unsentEntries(db, entry.account), entry)

/** As `dependantsOf`, of an account's unsent entries that were read before, in the order they were made. */
export function dependantsAmong(
  unsent: readonly OutboxEntry[],
  { id, account }: OutboxEntry,
): OutboxEntry[] {
  const lost = new Set([id])
  return unsent.filter((each) => {
    const isLost =
      each.account === account && each.id !== id && each.after.some((parent) => lost.has(parent))
    if (isLost) lost.add(each.id)
    return isLost
  })
}
