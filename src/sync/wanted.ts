import type { Status } from '#domain/delivery.ts'
import { isCurrent } from '#domain/guest.ts'
import { guestAccount, type SomaDb } from '#store/db.ts'
import { shared, standing } from './lists.ts'

const guestsFollowed = 3

/** What screens watch, and what the person would miss on the road. `now` in milliseconds since 1970. */
export async function wantedLists(
  db: SomaDb,
  watched: Iterable<string>,
  now: number,
): Promise<string[]> {
  const session = await db.sessions.get('current')
  const user = session && !session.expired ? session.user : undefined
  const names = new Set([...watched, ...shared, ...standing(user)])
  if (user) names.add('me')
  for (const id of await unfinishedGuestDeliveries(db, now)) names.add(`delivery:${id}`)
  return [...names]
}

/** The newest few: the specification lets a guest track one. */
async function unfinishedGuestDeliveries(db: SomaDb, now: number): Promise<string[]> {
  const guests = (await db.guests.toArray())
    .filter((record) => record.guestToken && isCurrent(record, now))
    .sort((a, b) => b.createdAt.localeCompare(a.createdAt))
    .slice(0, guestsFollowed)
  const rows = await db.deliveries.bulkGet(
    guests.map(({ id }): [string, string] => [guestAccount, id]),
  )
  return guests.flatMap(({ id }, index) => (isOver(rows[index]?.view.status) ? [] : [id]))
}

const isOver = (status: Status | undefined) => status === 'Approved' || status === 'Cancelled'
