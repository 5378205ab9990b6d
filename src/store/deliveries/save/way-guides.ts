import { getState, putState } from '#sync/database/device/state.ts'
import type { WayGuide } from '../../rows.ts'
import type { SomaDb } from '../../soma-db.ts'

/** So many ways are kept of each account, those asked for last. */
const mostKept = 20

/** Keeps what the server says of a way, in place of what it said before. `query`: as it was asked for. */
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
