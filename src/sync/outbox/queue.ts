import type { EngineDb } from '../database/engine-db.ts'
import type { OutboxEntry } from '../database/entry.ts'
import { unsentKeys } from './unsent.ts'

/** Entries read in one go: more would keep a slow phone from drawing meanwhile. */
const mostInGo = 400

/** A chunk of the queue. `knownUpTo`: the `seq` it reaches; `isComplete`: nothing comes after it. */
export type QueueChunk = {
  entries: OutboxEntry[]
  knownUpTo: number
  isComplete: boolean
}

/** The first chunk of the queue of these accounts, from its first unsent entry on. */
export async function readQueueStart(
  db: EngineDb,
  accounts: readonly string[],
): Promise<QueueChunk> {
  const unsent = await db.outbox
    .where('[account+state]')
    .anyOf(accounts.flatMap(unsentKeys))
    .primaryKeys()
  const first = unsent.reduce((least, seq) => Math.min(least, seq), Number.POSITIVE_INFINITY)
  if (first === Number.POSITIVE_INFINITY) {
    const last = await db.outbox.orderBy(':id').lastKey()
    return { entries: [], knownUpTo: Number(last ?? 0), isComplete: true }
  }
  return readQueueAfter(db, first - 1)
}

/** The chunk of the queue after `seq`, in the order the entries were made. */
export async function readQueueAfter(db: EngineDb, seq: number): Promise<QueueChunk> {
  const entries = await db.outbox.where(':id').above(seq).limit(mostInGo).toArray()
  const knownUpTo = entries.at(-1)?.seq ?? seq
  return { entries, knownUpTo, isComplete: entries.length < mostInGo }
}
