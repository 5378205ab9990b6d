import * as z from 'zod/mini'
import type { EngineDb } from '../database/engine-db.ts'
import {
  entryStates,
  entryVersion,
  needsUpdate,
  type Operation,
  type OutboxEntry,
} from '../database/entry.ts'

/** How an entry becomes one of the next version, by the version it has. */
const upgrades: Record<number, (entry: OutboxEntry) => OutboxEntry> = {
  // Before it was noted whether a request had left, any that had been tried may have.
  1: (entry) => ({
    ...entry,
    left: entry.state !== 'waiting' || entry.attempts > 0 || undefined,
  }),
}

/** Brings entries of older versions of the app up to date; those of a newer one stay as they are. */
export const upgradeEntries = (db: EngineDb): Promise<number> =>
  db.transaction('rw', db.outbox, async () => {
    const old = await db.outbox.filter(({ v }) => v < entryVersion).toArray()
    const known = old.filter(({ v }) => upgrades[v] !== undefined)
    if (known.length > 0) await db.outbox.bulkPut(known.map(upgraded))
    return known.length
  })

function upgraded(entry: OutboxEntry): OutboxEntry {
  const step = upgrades[entry.v]
  return step ? upgraded({ ...step(entry), v: entry.v + 1 }) : entry
}

/** What every version relies on of an entry, whatever it asks for. */
const EntryShape = z.object({
  seq: z.number(),
  id: z.string(),
  account: z.string(),
  op: z.string(),
  v: z.number(),
  lane: z.string(),
  title: z.string(),
  occurredAt: z.string(),
  after: z.array(z.string()),
  photos: z.array(z.string()),
  input: z.record(z.string(), z.unknown()),
  state: z.enum(entryStates),
})

/** Whether this version of the app can send the entry: it is of its version, and its input is as it must be. */
export const isReadable = (
  { v, op, input }: OutboxEntry,
  operations: Record<string, Operation>,
): boolean =>
  v === entryVersion &&
  Object.hasOwn(operations, op) &&
  operations[op]?.input.safeParse(input).success === true

/** Why an entry cannot be read, in words for people. One of a newer version can wait as it is (S57). */
export function whyUnreadable(
  entry: OutboxEntry,
  operations: Record<string, Operation>,
): string | undefined {
  if (!EntryShape.safeParse(entry).success) return 'It could not be read.'
  if (needsUpdate(entry)) return undefined
  if (entry.v !== entryVersion) return `Made by another version of the app (${entry.v}).`
  return isReadable(entry, operations) ? undefined : 'It could not be read.'
}
