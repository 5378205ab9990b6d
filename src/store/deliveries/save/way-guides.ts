import { getState, putState } from '#sync/database/device/state.ts'
import { listKey } from '#sync/lists/list-ref.ts'
import type { WayGuide } from '../../rows.ts'
import type { SomaDb } from '../../soma-db.ts'

/** The ways that each account asked for last, at most so many. */
const mostKept = 20

/** Stores what the server says of a way, in place of what it said before. `query`: with which it was asked. */
export async function saveWayGuide(
  db: SomaDb,
  account: string,
  query: string,
  { guide, drivers }: WayGuide,
): Promise<void> {
  const kept = (await getState(db, `wayGuides:${account}`)) ?? []
  const others = kept.filter((each) => each.query !== query)
  const all = [{ query, guide, drivers }, ...others]
  await putState(db, `wayGuides:${account}`, all.slice(0, mostKept))
  // Else the server would answer that nothing has changed, once they are asked for again.
  const left = all.slice(mostKept).map((each) => listKey({ kind: 'priceGuide', query: each.query }))
  await db.pulls.bulkDelete(left.map((list): [string, string] => [account, list]))
}
