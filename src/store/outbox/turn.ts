import { Dexie } from 'dexie'
import type { EngineDb, Session } from '../database/engine-db.ts'
import { commitNow } from '../database/group-commit.ts'
import { credentialsFor } from './credentials.ts'
import { isUnsent, type OutboxEntry } from './entry.ts'
import {
  type Holder,
  type Leased,
  leased,
  sendableAccounts,
  storedEntries,
  unleased,
} from './lease.ts'
import type { OutboxProduct } from './product.ts'
import { type Outcome, recordOutcomes } from './record-outcomes.ts'
import { unsentKeys } from './unsent.ts'
import { WriteBatch } from './write-batch.ts'

/** What one turn of a sender brings to the database. */
export type Turn = {
  outcomes: Outcome[]
  /** Leased, and not sent after all. */
  returned: Leased[]
  /** Entries up to this `seq` are known to the sender; nothing: it knows none. */
  knownUpTo: number | undefined
  holder: Holder
  random: () => number
  /** Takes in what has changed; returns the entries that may leave next. */
  choose: (queue: QueueChange) => OutboxEntry[]
}

/** How the queue differs from what the sender knew. */
export type QueueChange = {
  /** Accounts whose entries may leave. */
  accounts: string[]
  /** Entries the sender did not know, in the order they were made. `isWhole`: these are all there are. */
  added: OutboxEntry[]
  isWhole: boolean
  /** Entries as this turn has left them. */
  changed: OutboxEntry[]
  /** Lanes the server has renamed. */
  moved: WriteBatch['moved']
}

/** The result of a turn. */
export type TurnResult = {
  leased: Leased[]
  knownUpTo: number
  /** Somebody else has changed entries the sender knew: the next turn reads the queue whole. */
  isStale: boolean
}

/**
 * One transaction: records how tries went, reads what is new, leases what leaves next (S2, S17).
 */
export function commitTurn(db: EngineDb, product: OutboxProduct, turn: Turn): Promise<TurnResult> {
  const tables = [db.outbox, db.sessions, db.aliases, db.pulls, ...product.tables(db)]
  return db.transaction('rw', tables, async (transaction) => {
    const { outcomes, returned, holder, random } = turn
    const back = [...outcomes, ...returned].map(({ entry }) => entry)
    const [stored, before, added] = await Dexie.Promise.all([
      storedEntries(db, back),
      db.sessions.get('current'),
      turn.knownUpTo === undefined
        ? undefined
        : db.outbox.where(':id').above(turn.knownUpTo).toArray(),
    ])
    const batch = new WriteBatch()
    await recordOutcomes({ db, product, batch }, outcomes, stored, {
      now: holder.now,
      random,
      isOffline: holder.isOffline,
    })
    for (const [at, each] of returned.entries())
      if (stored[outcomes.length + at]?.state === 'sending') batch.put(unleased(each))
    // A dead token ends the session: who may be sent for is asked again.
    const session = outcomes.some((each) => 'error' in each)
      ? await db.sessions.get('current')
      : before
    const accounts = sendableAccounts(session)
    const whole = added ? undefined : await wholeQueue(db, accounts)
    const knownUpTo =
      added?.at(-1)?.seq ?? turn.knownUpTo ?? (await db.outbox.orderBy(':id').last())?.seq ?? 0
    const chosen = turn.choose({
      accounts,
      added: (whole ?? added ?? []).filter(
        (entry) => isUnsent(entry) && accounts.includes(entry.account),
      ),
      isWhole: whole !== undefined,
      changed: batch.changed,
      moved: batch.moved,
    })
    const result = await lease(db, product, chosen, session, holder, batch)
    await commitNow(transaction, await batch.prepare(db, product))
    return { ...result, knownUpTo }
  })
}

const wholeQueue = (db: EngineDb, accounts: string[]): PromiseLike<OutboxEntry[]> =>
  db.outbox.where('[account+state]').anyOf(accounts.flatMap(unsentKeys)).sortBy('seq')

async function lease(
  db: EngineDb,
  product: OutboxProduct,
  chosen: OutboxEntry[],
  session: Session | undefined,
  holder: Holder,
  batch: WriteBatch,
): Promise<Pick<TurnResult, 'leased' | 'isStale'>> {
  if (chosen.length === 0) return { leased: [], isStale: false }
  const changed = new Map(batch.changed.map((entry) => [entry.seq, entry]))
  const stored = await storedEntries(db, chosen)
  const current = stored.flatMap((entry, at) => {
    const now = entry && (changed.get(entry.seq) ?? entry)
    return now && isUnsent(now) ? [{ now, chosen: chosen[at] }] : []
  })
  const before = current.map(({ now }) => now)
  const entries = before.map((entry) => leased(entry, holder))
  // On the screen one that waits and one on its way are the same.
  for (const [at, entry] of entries.entries()) batch.put(entry, before[at]?.state !== 'waiting')
  const credentials = await credentialsFor(db, product, entries, session)
  return {
    leased: credentials.flatMap((each, at): Leased[] => {
      const [entry, was] = [entries[at], before[at]]
      return entry && was ? [{ entry, before: was, credentials: each }] : []
    }),
    // Taken back by the person, here or in another tab, since the queue was read.
    isStale: current.length < chosen.length,
  }
}
