import { Dexie } from 'dexie'
import type { Actor, Delivery } from '#domain/deliveries/delivery.ts'
import { type EntryState, type OutboxEntry, unsentStates } from '#sync/database/entry.ts'
import { getMany } from '#sync/database/get-many.ts'
import type { Batch } from '#sync/database/group-commit.ts'
import { type Write, writeInParts } from '#sync/database/write-in-parts.ts'
import type { Projection, RowChanges } from '#sync/model.ts'
import { enqueue, entryOf, projectLanes as projectLanesOf } from '#sync/outbox/enqueue.ts'
import type { NewEntry } from '../entries/new-entry.ts'
import type { Entry } from '../entries/operations.ts'
import type { DeliveryRow } from '../rows.ts'
import { actorOf, currentSession, mayStoreRows, zip } from '../session.ts'
import type { SomaDb } from '../soma-db.ts'
import { intentOf, isCreate, projectLane, projectRow } from './project.ts'

/**
 * A row shows the server's row with the pending operations applied (S6). Everything that writes a row
 * goes through here, inside the writer's own transaction, so that nothing flickers.
 */
export const projection: Projection = {
  isShown: (entry) => isCreate(entry as Entry) || intentOf(entry as Entry) !== undefined,
  project: projectRows,
}

/** Writes entries and the rows they change, inside the caller's transaction (S2). */
export const enqueueEntries = (db: SomaDb, added: readonly NewEntry[]): Promise<void> =>
  enqueue(db, projection, added)

/** What a command has read of the delivery it acts on. */
type KnownRow = { row: DeliveryRow; actor: Actor | undefined; batch: Batch }

/** As `enqueueEntries`, for a command that has read the row: with nothing else pending nothing more is read. */
export async function enqueueForRow(
  db: SomaDb,
  added: readonly NewEntry[],
  { row, actor, batch }: KnownRow,
): Promise<void> {
  if (row.marks.length > 0) return enqueueEntries(db, added)
  const entries = added.map((each) => entryOf<Entry>(each))
  const ofRow = entries.filter(({ lane, account }) => lane === row.ID && account === row.account)
  batch.put(db.outbox, ...entries)
  const next = projectLane(row, ofRow, actor)
  if (next) batch.put(db.deliveries, next)
}

/** Projects the rows of every lane these entries stand in, after the entries were written. */
export const projectLanes = (db: SomaDb, entries: readonly OutboxEntry[]): Promise<void> =>
  projectLanesOf(db, projection, entries)

/**
 * When a response came and when it was asked for. `askedAt`
 * is left out where the response is a delta.
 */
export type ResponseTimes = Pick<RowChanges, 'serverAt' | 'askedAt'>

/**
 * Merges rows from the server, unless a response already brought a later state (S20). With `askedAt`, only
 * one that came after that counts as later (S78).
 */
export async function mergeFromServer(
  db: SomaDb,
  account: string,
  deliveries: readonly Delivery[],
  { serverAt, askedAt }: ResponseTimes,
): Promise<void> {
  const changes = { lanes: [], serverRows: deliveries, entries: [], serverAt, askedAt }
  await writeInParts(await projectRows(db, account, changes))
}

/** A list no longer has these rows; those with something pending stay until that is settled. */
export async function dropFromList(db: SomaDb, account: string, ids: string[]): Promise<void> {
  const rows = await db.deliveries.bulkGet(ids.map((id) => [account, id]))
  for (const row of rows) {
    if (!row) continue
    if (row.marks.length > 0) await db.deliveries.put({ ...row, gone: true })
    else await db.deliveries.delete([account, row.ID])
  }
}

async function projectRows(
  db: SomaDb,
  account: string,
  { lanes, serverRows, entries: inHand, ...times }: RowChanges,
): Promise<Write[]> {
  const fromServer = new Map(
    ((serverRows ?? []) as readonly Delivery[]).map((delivery) => [delivery.ID, delivery]),
  )
  const ids = [...new Set([...lanes, ...fromServer.keys()])]
  if (ids.length === 0) return []
  const keys = ids.map((id): [string, string] => [account, id])
  const [olds, session] = await zip(getMany(db.deliveries, keys), currentSession(db))
  const actor = actorOf(session, account, '')
  // A response that comes after its person logged out writes no row back (S59).
  const mayStore = mayStoreRows(session, account)
  const byLane = await entriesByLane(db, account, ids, olds, inHand)
  const table = db.deliveries
  const writes: Write[] = []
  for (const [index, id] of ids.entries()) {
    const entries = byLane.get(id) ?? []
    const about = actor && towards(actor, id)
    const server = mayStore ? fromServer.get(id) : undefined
    const row = projectRow(account, olds[index], server, entries, about, times)
    if (row && (mayStore || entries.length > 0)) writes.push({ table, row })
    else if (olds[index]) writes.push({ table, deleted: [account, id] })
  }
  return writes
}

/** Entries that still matter to rows: unsent ones, and refused ones the person has not dealt with. */
async function entriesByLane(
  db: SomaDb,
  account: string,
  ids: readonly string[],
  olds: readonly (DeliveryRow | undefined)[],
  inHand: readonly OutboxEntry[] | undefined,
): Promise<Map<string, Entry[]>> {
  const known = new Map(inHand?.map((entry) => [entry.id, entry as Entry]))
  const found: Entry[] = []
  const unknown: string[] = []
  for (const [index, id] of ids.entries()) {
    const pending = olds[index]?.marks?.map(({ entry }) => known.get(entry))
    if (inHand && pending?.every((entry) => entry !== undefined)) found.push(...pending)
    else unknown.push(id)
  }
  for (const entry of await entriesInLanes(db, account, unknown))
    found.push(known.get(entry.id) ?? entry)
  const lanes = new Map<string, Entry[]>()
  // That a cancel was seen shows nowhere.
  const shown = found.filter(
    ({ op, state }) => shownStates.includes(state) && op !== 'acknowledgeCancel',
  )
  for (const entry of shown.sort((a, b) => a.seq - b.seq))
    lanes.set(entry.lane, [...(lanes.get(entry.lane) ?? []), entry])
  return lanes
}

/** Past so many rows, one look at all these entries is cheaper than one at each lane. */
const fewLanes = 100

const entriesInLanes = async (
  db: SomaDb,
  account: string,
  ids: string[],
  lanes = new Set(ids),
): Promise<Entry[]> =>
  ids.length <= fewLanes
    ? (await Dexie.Promise.all(ids.map((id) => laneOf(db, account, id)))).flat()
    : db.outbox
        .where('[account+state]')
        .anyOf(shownStates.map((state) => [account, state]))
        .filter(({ lane }) => lanes.has(lane))
        .toArray()

const shownStates: EntryState[] = [...unsentStates, 'refused']

const laneOf = (db: SomaDb, account: string, id: string) =>
  db.outbox.where('[account+lane]').equals([account, id]).toArray()

const towards = (actor: Actor, id: string): Actor => ('user' in actor ? actor : { guestOf: id })
