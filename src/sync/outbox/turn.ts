import { Dexie } from 'dexie'
import { commitNow } from '../database/commit-now.ts'
import type { EngineDb, Session } from '../database/engine-db.ts'
import { isUnsent, type OutboxEntry } from '../database/entry.ts'
import type { Leased, OutboxModel } from '../model.ts'
import { credentialsFor } from './credentials.ts'
import { type Holder, leased, sendableAccounts, storedEntries, unleased } from './lease.ts'
import { readQueueAfter, readQueueStart } from './queue.ts'
import { type Outcome, recordOutcomes } from './record-outcomes.ts'
import { WriteBatch } from './write-batch.ts'

/** What one turn of a sender brings to the database. */
export type Turn = {
  outcomes: Outcome[]
  /** Leased, and not sent after all. */
  returned: Leased[]
  /** Entries up to this `seq` are known to the sender; nothing: it knows none. */
  knownUpTo: number | undefined
  holder: Holder
  /** By the device's clock, milliseconds since 1970: for what a person reads. */
  wallClock: number
  /** Takes in what has changed; returns the entries that may leave next. */
  choose: (queue: QueueChange) => OutboxEntry[]
}

/** How the queue differs from what the sender knew. */
export type QueueChange = {
  /** Accounts whose entries may leave. */
  accounts: string[]
  /** Entries the sender did not know, in the order they were made. `isStart`: it knows no others. */
  added: OutboxEntry[]
  isStart: boolean
  /** Entries as this turn has left them. */
  changed: OutboxEntry[]
  /** Lanes the server has renamed. */
  moved: WriteBatch['moved']
}

/** The result of a turn. */
export type TurnResult = {
  leased: Leased[]
  knownUpTo: number
  /** Nothing of the queue is left to be read. */
  isComplete: boolean
  /** Somebody else has changed entries the sender knew: the next turn reads the queue from its start. */
  isStale: boolean
}

/**
 * One transaction: records how tries went, reads a part of what is new, leases what leaves next (S2, S17).
 * Its work is bounded, however long the queue is.
 */
export function commitTurn(db: EngineDb, model: OutboxModel, turn: Turn): Promise<TurnResult> {
  const tables = [db.outbox, db.sessions, db.aliases, db.pulls, ...model.tables(db)]
  return db.transaction('rw', tables, async (transaction) => {
    const { outcomes, returned, holder, wallClock } = turn
    const back = [...outcomes, ...returned].map(({ entry }) => entry)
    const [stored, before] = await Dexie.Promise.all([
      storedEntries(db, back),
      db.sessions.get('current'),
    ])
    const batch = new WriteBatch()
    await recordOutcomes({ db, model, batch }, outcomes, stored, { now: holder.now, wallClock })
    for (const [at, each] of returned.entries()) putBack(batch, each, stored[outcomes.length + at])
    // A dead token ends the session: who may be sent for is asked again.
    const session = outcomes.some((each) => 'error' in each)
      ? await db.sessions.get('current')
      : before
    const accounts = sendableAccounts(session)
    const { entries, knownUpTo, isComplete } =
      turn.knownUpTo === undefined
        ? await readQueueStart(db, accounts)
        : await readQueueAfter(db, turn.knownUpTo)
    const chosen = turn.choose({
      accounts,
      added: entries.filter((entry) => isUnsent(entry) && accounts.includes(entry.account)),
      isStart: turn.knownUpTo === undefined,
      changed: batch.changed,
      moved: batch.moved,
    })
    const result = await lease(db, model, chosen, session, holder, batch)
    await commitNow(transaction, await batch.prepare(db, model, holder.now))
    return { ...result, knownUpTo, isComplete }
  })
}

/** Leased, and not sent after all; the person may take it back meanwhile. */
function putBack(batch: WriteBatch, leased: Leased, stored: OutboxEntry | undefined): void {
  if (stored?.state === 'sending' && !batch.hasEnded(stored))
    batch.put({ ...unleased(leased), withdrawal: stored.withdrawal })
}

async function lease(
  db: EngineDb,
  model: OutboxModel,
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
    return now && isUnsent(now) && now.withdrawal === chosen[at]?.withdrawal ? [now] : []
  })
  const entries = current.map((entry) => leased(entry, holder))
  // On the screen one that waits and one on its way are the same.
  for (const [at, entry] of entries.entries()) batch.put(entry, current[at]?.state !== 'waiting')
  const credentials = await credentialsFor(db, model, entries, session)
  return {
    leased: credentials.flatMap((each, at): Leased[] => {
      const [entry, before] = [entries[at], current[at]]
      return entry && before ? [{ entry, before, credentials: each }] : []
    }),
    // Taken back by the person, here or in another tab, since the queue was read.
    isStale: current.length < chosen.length,
  }
}
