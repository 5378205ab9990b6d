import type { Status } from '#domain/delivery.ts'
import { isCurrent } from '#domain/guest.ts'
import { guestAccount } from '#store/database/engine-db.ts'
import type { SomaDb } from '#store/soma-db.ts'

const guestsFollowed = 3

/** What a guest still follows, the newest few: the specification lets them track one. */
export async function guestLists(db: SomaDb, now: number): Promise<string[]> {
  const guests = (await db.guests.toArray())
    .filter((record) => record.guestToken && isCurrent(record, now))
    .sort((a, b) => b.createdAt.localeCompare(a.createdAt))
    .slice(0, guestsFollowed)
  const rows = await db.deliveries.bulkGet(
    guests.map(({ id }): [string, string] => [guestAccount, id]),
  )
  return guests.flatMap(({ id }, index) =>
    isOver(rows[index]?.view.status) ? [] : [`delivery:${id}`],
  )
}

const isOver = (status: Status | undefined) => status === 'Approved' || status === 'Cancelled'
