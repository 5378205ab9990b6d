import type { EngineDb } from '../database/engine-db.ts'
import { entryVersion, type OutboxEntry } from '../database/entry.ts'
import { writeInParts } from '../database/write-in-parts.ts'
import type { Projection } from '../model.ts'
import type { Waits } from './waits.ts'

/** What an entry is made of; the rest begins the same for every entry. */
export type NewEntry<O extends string = string, I extends object = object> = {
  id: string
  account: string
  op: O
  lane: string
  input: I
  title: string
  /** ISO time by this device's clock. */
  occurredAt: string
  after?: string[]
  follows?: string[]
  photos?: string[]
  /** It does not leave at once, so that it can be undone (S60). */
  hold?: ReturnType<Waits['hold']>
  isPart?: 1
}

/** Waiting, and without its `seq`, which the database assigns. */
export const entryOf = <E extends OutboxEntry>({
  hold,
  ...added
}: NewEntry<E['op'], E['input']>): E =>
  ({
    after: [],
    photos: [],
    ...added,
    v: entryVersion,
    state: 'waiting',
    attempts: 0,
    failures: 0,
    nextAt: 0,
    ...hold,
  }) as Omit<OutboxEntry, 'seq'> as E

/** Writes entries and the rows they change; inside the caller's transaction, so both or neither (S2). */
export async function enqueue(
  db: EngineDb,
  projection: Projection,
  added: readonly NewEntry[],
): Promise<void> {
  const entries = added.map((each) => entryOf<OutboxEntry>(each))
  await db.outbox.bulkAdd(entries)
  await projectLanes(db, projection, entries)
}

/** Projects the rows of every lane these entries stand in, after the entries were written. */
export async function projectLanes(
  db: EngineDb,
  projection: Projection,
  entries: readonly OutboxEntry[],
): Promise<void> {
  const accounts = new Map<string, Set<string>>()
  for (const entry of entries)
    if (projection.isShown(entry))
      accounts.set(entry.account, (accounts.get(entry.account) ?? new Set()).add(entry.lane))
  for (const [account, lanes] of accounts) {
    await writeInParts(await projection.project(db, account, { lanes: [...lanes] }))
  }
}
