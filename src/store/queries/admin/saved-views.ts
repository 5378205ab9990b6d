import type { SavedView } from '#domain/office/saved-view.ts'
import { getState } from '#sync/database/device/state.ts'
import { currentAccount } from '../../session.ts'
import type { SomaDb } from '../../soma-db.ts'

/** The saved views of a list, by name (R229). */
export async function savedViews(db: SomaDb, list: string, account?: string): Promise<SavedView[]> {
  const views = (await getState(db, `views:${account ?? (await currentAccount(db))}`)) ?? []
  return views
    .filter((view) => view.list === list)
    .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
}
