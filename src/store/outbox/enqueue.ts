import type { Actor } from '#domain/delivery.ts'
import type { Batch } from '../database/group-commit.ts'
import { type Entry, type InputOf, inputs, type OutboxOp } from '../deliveries/operations.ts'
import { intentOf, isCreate, rowOfLane } from '../deliveries/project.ts'
import { refold } from '../deliveries/save-rows.ts'
import type { DeliveryRow } from '../rows.ts'
import type { SomaDb } from '../soma-db.ts'
import { entryVersion, unsentStates } from './entry.ts'

export type NewEntry<O extends OutboxOp = OutboxOp> = {
  id: string
  account: string
  op: O
  lane: string
  input: InputOf<O>
  title: string
  /** ISO time by this device's clock. */
  occurredAt: string
  after?: string[]
  photos?: string[]
}

export type NewEntryOf = <O extends OutboxOp>(
  op: O,
  account: string,
  lane: string,
  input: InputOf<O>,
  title: string,
) => NewEntry

/** `newId`: UUIDv7. `moment`: ISO time by this device's clock. */
export const entryMaker =
  (newId: () => string, moment: () => string): NewEntryOf =>
  (op, account, lane, input, title) =>
    ({ id: newId(), account, op, lane, input, title, occurredAt: moment() }) as NewEntry

/** Tables an enqueue writes; open the command's transaction over at least these. */
export const outboxTables = (db: SomaDb) => [
  db.outbox,
  db.deliveries,
  db.sessions,
  db.photos,
  db.guests,
  db.aliases,
]

/** The row that entries are about, as the command has just read it, and who acts on it. */
type About = { row: DeliveryRow; actor: Actor | undefined; batch: Batch }

/** Writes entries and the rows they change; inside the command's transaction, so both or neither. */
export async function enqueue(db: SomaDb, wanted: NewEntry[], about?: About): Promise<void> {
  const entries = wanted.map(entryOf)
  if (about?.row.marks.length === 0) return enqueueAlone(db, entries, about)
  await db.outbox.bulkAdd(entries)
  await refoldLanes(db, entries)
}

/** Nothing else waits in the row's lane: there is nothing more to read. */
function enqueueAlone(db: SomaDb, entries: Entry[], { row, actor, batch }: About) {
  const ofRow = entries.filter(({ lane, account }) => lane === row.ID && account === row.account)
  batch.put(db.outbox, ...entries)
  const next = rowOfLane(row, ofRow, actor)
  if (next) batch.put(db.deliveries, next)
}

/** Waiting, and without its `seq`, which the database gives it when it is added. */
export const entryOf = (wanted: NewEntry): Entry =>
  ({
    after: [],
    photos: [],
    ...wanted,
    v: entryVersion,
    state: 'waiting',
    attempts: 0,
    failures: 0,
    nextAt: 0,
  }) as Omit<Entry, 'seq'> as Entry

/** The rows of every lane these entries stand in. Lanes that are no delivery have no row to fold. */
export async function refoldLanes(db: SomaDb, entries: readonly Entry[]): Promise<void> {
  const accounts = new Map<string, Set<string>>()
  for (const entry of entries)
    if (isCreate(entry) || intentOf(entry))
      accounts.set(entry.account, (accounts.get(entry.account) ?? new Set()).add(entry.lane))
  for (const [account, lanes] of accounts) await refold(db, account, [...lanes])
}

/** Ends an entry for good: what it asked is done, or the person took it back. */
export const ended = (entry: Entry, state: 'done' | 'cancelled', now: number): Entry => ({
  ...entry,
  state,
  endedAt: now,
  lease: undefined,
  error: undefined,
  unseen: state === 'done' ? 1 : undefined,
})

/** Whether the server may have done already what this entry asks: its answer may have been lost. */
export const mayHaveArrived = ({ state, left }: Entry): boolean =>
  left === true || state === 'sending'

/** Somebody said no: the person is told, and may edit, try again or discard. */
export const refusedEntry = (
  entry: Entry,
  error: NonNullable<Entry['error']>,
  now: number,
): Entry => ({ ...entry, state: 'refused', endedAt: now, lease: undefined, error, unseen: 1 })

/** Entries that can no longer leave because `entry` will not: named parents, all the way down. */
export async function dependantsOf(db: SomaDb, entry: Entry): Promise<Entry[]> {
  const waiting = await db.outbox
    .where('[account+state]')
    .anyOf(unsentKeys(entry.account))
    .sortBy('seq')
  const lost = new Set([entry.id])
  const found: Entry[] = []
  for (const each of waiting)
    if (each.id !== entry.id && each.after.some((parent) => lost.has(parent))) {
      lost.add(each.id)
      found.push(each)
    }
  return found
}

export const unsentKeys = (account: string) => unsentStates.map((state) => [account, state])

export const isSound = (entry: Entry): boolean =>
  entry.v === entryVersion &&
  Object.hasOwn(inputs, entry.op) &&
  inputs[entry.op].safeParse(entry.input).success
