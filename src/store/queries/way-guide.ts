import { getState } from '#sync/database/device/state.ts'
import type { ListRef } from '#sync/lists/list-ref.ts'
import type { WayGuide } from '../rows.ts'
import { currentAccount } from '../session.ts'
import type { SomaDb } from '../soma-db.ts'
import type { Route } from './suggestions.ts'

/** The list by which a way's guide is asked for (R168); nothing without two zones. */
export const wayGuideRef = ({ from, to }: Route): ListRef | undefined =>
  from !== '' && to !== '' && from !== to
    ? { kind: 'priceGuide', query: `${new URLSearchParams({ from, to })}` }
    : undefined

/** What this phone knows of a way (R168, R170); empty if it never asked. */
export async function wayGuide(db: SomaDb, way: Route, account?: string): Promise<WayGuide> {
  const owner = account ?? (await currentAccount(db))
  const kept = (await getState(db, `wayGuides:${owner}`)) ?? []
  return kept.find(({ query }) => query === wayGuideRef(way)?.query) ?? {}
}
