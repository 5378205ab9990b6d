import { isHeld } from '#domain/deliveries/endings/cancel-hold.ts'
import { type GuestRecord, isGuestRecordValid } from '#domain/deliveries/guest.ts'
import { guestAccount, type Pulled } from '#sync/database/engine-db.ts'
import { type ListRef, listKey } from '#sync/lists/list-ref.ts'
import { isReadableGuest } from '../deliveries/row-schema.ts'
import type { DeliveryRow } from '../rows.ts'
import type { SomaDb } from '../soma-db.ts'

const guestsFollowed = 3
const readAtOnce = 6

/** A delivery that is hidden, or over, is asked for once in so many milliseconds. */
const askRarelyEvery = 3_600_000

/**
 * Deliveries a guest still follows, the newest few (R58); now and then those whose records this device's clock has
 * hidden (S55), those that were opened on another phone (S74), and those that are over: a restored server may have them
 * otherwise, and a guest has no list that says so (S80). `now`: milliseconds since 1970.
 */
export async function guestSubscriptions(db: SomaDb, now: number): Promise<ListRef[]> {
  const newestFirst = (await db.guests.toArray())
    .filter(isFollowed)
    .sort((a, b) => b.createdAt.localeCompare(a.createdAt))
  const isValid = (record: GuestRecord) => isGuestRecordValid(record, now) && !record.moved
  const shown = newestFirst.filter(isValid)
  const hidden = newestFirst.filter((record) => !isValid(record))
  const followed = [
    ...(await newest(db, shown, isUnderWay)),
    ...(await newest(db, await dueAmong(db, hidden, now), isUnderWay)),
    ...(await overAndDue(db, shown.slice(0, readAtOnce), now)),
  ]
  return followed.map(({ id }) => ({ kind: 'delivery', id }))
}

const isFollowed = (record: GuestRecord) =>
  record.guestToken !== undefined && isReadableGuest(record)

/** The first few whose rows are like that; a phone may hold records of thousands, and this is asked every round. */
async function newest(
  db: SomaDb,
  guests: readonly GuestRecord[],
  isWanted: (row: DeliveryRow | undefined) => boolean,
): Promise<GuestRecord[]> {
  const found: GuestRecord[] = []
  for (let at = 0; at < guests.length && found.length < guestsFollowed; at += readAtOnce) {
    const some = guests.slice(at, at + readAtOnce)
    const rows = await db.deliveries.bulkGet(some.map(({ id }) => [guestAccount, id]))
    found.push(...some.filter((_, index) => isWanted(rows[index])))
  }
  return found.slice(0, guestsFollowed)
}

/** Those that were not asked for within the hour. The clock may have been set either way since. */
async function dueAmong(db: SomaDb, guests: GuestRecord[], now: number): Promise<GuestRecord[]> {
  const pulls = await pullsOf(db, guests)
  return guests.filter((_, index) => isLongAgo(pulls[index], now))
}

/** Those that are over, and were not asked for within the hour or since a reply has brought them. */
async function overAndDue(db: SomaDb, guests: GuestRecord[], now: number): Promise<GuestRecord[]> {
  const pulls = await pullsOf(db, guests)
  const rows = await db.deliveries.bulkGet(guests.map(({ id }) => [guestAccount, id]))
  const isDue = (row: DeliveryRow | undefined, pulled: Pulled | undefined) =>
    isOver(row) && (isLongAgo(pulled, now) || row?.serverAt !== pulled?.serverAt)
  return guests.filter((_, index) => isDue(rows[index], pulls[index])).slice(0, guestsFollowed)
}

const pullsOf = (db: SomaDb, guests: readonly GuestRecord[]) =>
  db.pulls.bulkGet(guests.map(({ id }) => [guestAccount, listKey({ kind: 'delivery', id })]))

const isLongAgo = (pulled: Pulled | undefined, now: number) =>
  Math.abs(now - (pulled?.at ?? 0)) >= askRarelyEvery

/** Whether nothing more is expected of a delivery: it has ended, and nobody has its money or a dispute to decide. */
const isOver = (row: DeliveryRow | undefined) =>
  row !== undefined &&
  (row.view.status === 'Approved' || row.view.status === 'Cancelled') &&
  !isHeld(row.view) &&
  !row.view.disputed

const isUnderWay = (row: DeliveryRow | undefined) => !isOver(row)

/**
 * The guest whose delivery is worth a stream of its own (R97): the one on the screen, else the newest that is
 * under way. `watched`: the lists that screens show.
 */
export function guestToHear(
  db: SomaDb,
  watched: readonly ListRef[],
): Promise<(GuestRecord & { guestToken: string }) | undefined> {
  return db.transaction('r', [db.guests, db.deliveries], async () => {
    const records = (await db.guests.toArray())
      .filter((record) => isFollowed(record) && !record.moved)
      .sort((a, b) => b.createdAt.localeCompare(a.createdAt))
    const shown = records.filter(({ id }) =>
      watched.some((list) => list.kind === 'delivery' && list.id === id),
    )
    const [first] = await newest(db, [...shown, ...records], isUnderWay)
    return first?.guestToken === undefined ? undefined : { ...first, guestToken: first.guestToken }
  })
}

/** IDs of the deliveries this phone holds a guest's record of. */
export const guestIds = (db: SomaDb): Promise<string[]> => db.guests.toCollection().primaryKeys()

/** Reads all that decides which lists a phone follows in one transaction: it is looked up again and again. */
export function readForSubscriptions<T>(db: SomaDb, read: () => Promise<T>): Promise<T> {
  const tables = [db.sessions, db.guests, db.outbox, db.meta, db.deliveries, db.pulls, db.zones]
  return db.transaction('r', tables, async () => read())
}
