import { Dexie, type PromiseExtended } from 'dexie'
import type { Actor, Delivery } from '#domain/delivery.ts'
import { actorOf, currentSession, sideBySide } from '../account/account.ts'
import { byKeys } from '../database/get-many.ts'
import { type EntryState, unsentStates } from '../outbox/entry.ts'
import type { DeliveryRow } from '../rows.ts'
import type { SomaDb } from '../soma-db.ts'
import type { Entry } from './operations.ts'
import { rowFrom } from './project.ts'

/**
 * The screen's view is `server's row ⊕ pending intents` (design). Everything that writes a row
 * goes through here, inside the writer's own transaction, so that nothing flickers.
 */

/** Takes in rows as the server has them, unless an answer already told of a later state. */
export const mergeFromServer = (
  db: SomaDb,
  account: string,
  deliveries: readonly Delivery[],
): Promise<void> => recompute(db, account, { told: deliveries, inHand: [] })

/** Recomputes rows after their entries changed: enqueued, answered, refused or taken back. */
export const refold = (db: SomaDb, account: string, ids: readonly string[]): Promise<void> =>
  recompute(db, account, { ids })

/** A list no longer has these rows; those with something pending stay until that is settled. */
export async function removeAll(db: SomaDb, account: string, ids: string[]): Promise<void> {
  const rows = await db.deliveries.bulkGet(ids.map((id) => [account, id]))
  for (const row of rows) {
    if (!row) continue
    if (row.marks.length > 0) await db.deliveries.put({ ...row, gone: true })
    else await db.deliveries.delete([account, row.ID])
  }
}

type News = {
  /** Rows to look at, beside those that are told of. */
  ids?: readonly string[]
  /** As the server has them. */
  told?: readonly Delivery[]
  /**
   * The only entries that have changed since the rows were written, as they are now: a row whose
   * marks name no others needs no look at its lane. Left out, every lane is looked at.
   */
  inHand?: readonly Entry[]
}

/** Writes rows anew from what the server says and what is still meant to happen. */
export async function recompute(db: SomaDb, account: string, news: News): Promise<void> {
  await keep(db, await reckon(db, account, news))
}

/** Rows as they are to be written, and the keys of those that are to go. */
export type Reckoned = { rows: DeliveryRow[]; lost: [string, string][] }

/** What `recompute` writes: one who has more to write puts it beside that. */
export async function reckon(db: SomaDb, account: string, news: News): Promise<Reckoned> {
  const told = new Map(news.told?.map((delivery) => [delivery.ID, delivery]))
  const ids = [...new Set([...(news.ids ?? []), ...told.keys()])]
  if (ids.length === 0) return { rows: [], lost: [] }
  const keys = ids.map((id): [string, string] => [account, id])
  const [olds, session] = await sideBySide(byKeys(db.deliveries, keys), currentSession(db))
  const actor = actorOf(session, account, '')
  const lanes = await entriesOf(db, account, ids, olds, news.inHand)
  const rows: DeliveryRow[] = []
  const lost: [string, string][] = []
  for (const [index, id] of ids.entries()) {
    const entries = lanes.get(id) ?? []
    const row = rowFrom(account, olds[index], told.get(id), entries, actor && towards(actor, id))
    if (row) rows.push(row)
    else if (olds[index]) lost.push([account, id])
  }
  return { rows, lost }
}

export const keep = (db: SomaDb, { rows, lost }: Reckoned): PromiseExtended<unknown> =>
  Dexie.Promise.all([db.deliveries.bulkPut(rows), db.deliveries.bulkDelete(lost)])

/** Entries that still matter to rows: unsent ones, and refused ones the person has not dealt with. */
async function entriesOf(
  db: SomaDb,
  account: string,
  ids: readonly string[],
  olds: readonly (DeliveryRow | undefined)[],
  inHand: readonly Entry[] | undefined,
): Promise<Map<string, Entry[]>> {
  const held = new Map(inHand?.map((entry) => [entry.id, entry]))
  const found: Entry[] = []
  const unknown: string[] = []
  for (const [index, id] of ids.entries()) {
    const marked = olds[index]?.marks?.map(({ entry }) => held.get(entry))
    if (inHand && marked?.every((entry) => entry !== undefined)) found.push(...marked)
    else unknown.push(id)
  }
  for (const entry of await entriesInLanes(db, account, unknown))
    found.push(held.get(entry.id) ?? entry)
  const lanes = new Map<string, Entry[]>()
  for (const entry of found.sort((a, b) => a.seq - b.seq))
    if (live.includes(entry.state)) lanes.set(entry.lane, [...(lanes.get(entry.lane) ?? []), entry])
  return lanes
}

/** Past so many rows, one look at all live entries is cheaper than one at each lane. */
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
        .anyOf(live.map((state) => [account, state]))
        .filter(({ lane }) => lanes.has(lane))
        .toArray()

const live: EntryState[] = [...unsentStates, 'refused']

const laneOf = (db: SomaDb, account: string, id: string) =>
  db.outbox.where('[account+lane]').equals([account, id]).toArray()

const towards = (actor: Actor, id: string): Actor => ('user' in actor ? actor : { guestOf: id })
