import { getState, putState } from '#sync/database/device/state.ts'
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
  await putState(
    db,
    `wayGuides:${account}`,
    [{ query, guide, drivers }, ...others].slice(0, mostKept),
  )
}
