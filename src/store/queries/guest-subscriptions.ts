import type { Status } from '#domain/deliveries/delivery.ts'
import { isGuestRecordValid } from '#domain/deliveries/guest.ts'
import { guestAccount } from '../database/engine-db.ts'
import { hasAny } from '../database/has-any.ts'
import type { ListRef } from '../database/lists.ts'
import type { SomaDb } from '../soma-db.ts'

const guestsFollowed = 3

/** Deliveries a guest still follows, the newest few (R58). `now`: milliseconds since 1970. */
export async function guestSubscriptions(db: SomaDb, now: number): Promise<ListRef[]> {
  // Most phones hold none: asked once a round.
  if (!(await hasAny(db.guests))) return []
  const guests = (await db.guests.toArray())
    .filter((record) => record.guestToken && isGuestRecordValid(record, now))
    .sort((a, b) => b.createdAt.localeCompare(a.createdAt))
    .slice(0, guestsFollowed)
  const rows = await db.deliveries.bulkGet(
    guests.map(({ id }): [string, string] => [guestAccount, id]),
  )
  return guests.flatMap(({ id }, index) =>
    isOver(rows[index]?.view.status) ? [] : [{ kind: 'delivery', id }],
  )
}

const isOver = (status: Status | undefined) => status === 'Approved' || status === 'Cancelled'

/** IDs of the deliveries this phone holds a guest's record of. */
export const guestIds = (db: SomaDb): Promise<string[]> => db.guests.toCollection().primaryKeys()
