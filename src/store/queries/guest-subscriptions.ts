import type { Status } from '#domain/deliveries/delivery.ts'
import { type GuestRecord, isGuestRecordValid } from '#domain/deliveries/guest.ts'
import { guestAccount } from '../database/engine-db.ts'
import { hasAny } from '../database/has-any.ts'
import { type ListRef, listKey } from '../database/lists.ts'
import { isReadableGuest } from '../deliveries/row-schema.ts'
import type { SomaDb } from '../soma-db.ts'

const guestsFollowed = 3

/** A hidden record's delivery is asked for once in so many milliseconds. */
const askHiddenEvery = 3_600_000

/**
 * Deliveries a guest still follows, the newest few (R58), and now and then those whose records this
 * device's clock has hidden (S55). `now`: milliseconds since 1970.
 */
export async function guestSubscriptions(db: SomaDb, now: number): Promise<ListRef[]> {
  // Most phones hold none: asked once a round.
  if (!(await hasAny(db.guests))) return []
  const followed = await notOver(db, (await db.guests.toArray()).filter(isFollowed))
  const [valid, hidden] = [true, false].map((isValid) =>
    followed
      .filter((record) => isGuestRecordValid(record, now) === isValid)
      .sort((a, b) => b.createdAt.localeCompare(a.createdAt)),
  )
  const due = await dueAmong(db, hidden ?? [], now)
  return [...(valid ?? []).slice(0, guestsFollowed), ...due.slice(0, guestsFollowed)].map(
    ({ id }) => ({ kind: 'delivery', id }),
  )
}

const isFollowed = (record: GuestRecord) =>
  record.guestToken !== undefined && isReadableGuest(record)

async function notOver(db: SomaDb, guests: GuestRecord[]): Promise<GuestRecord[]> {
  const rows = await db.deliveries.bulkGet(guests.map(({ id }) => [guestAccount, id]))
  return guests.filter((_, index) => !isOver(rows[index]?.view.status))
}

/** Those that were not asked for within the hour. The clock may have been set either way since. */
async function dueAmong(db: SomaDb, guests: GuestRecord[], now: number): Promise<GuestRecord[]> {
  const pulls = await db.pulls.bulkGet(
    guests.map(({ id }) => [guestAccount, listKey({ kind: 'delivery', id })]),
  )
  return guests.filter((_, index) => Math.abs(now - (pulls[index]?.at ?? 0)) >= askHiddenEvery)
}

const isOver = (status: Status | undefined) => status === 'Approved' || status === 'Cancelled'

/** IDs of the deliveries this phone holds a guest's record of. */
export const guestIds = (db: SomaDb): Promise<string[]> => db.guests.toCollection().primaryKeys()
