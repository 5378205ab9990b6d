import { type SavedView, withView } from '#domain/office/saved-view.ts'
import { getState, putState } from '#sync/database/device/state.ts'
import { currentAccount } from '../session.ts'
import type { SomaDb } from '../soma-db.ts'

/** Keeps a view for whoever uses this phone now (R229). Refusals: those of `withView`. */
export const saveView = (db: SomaDb, view: SavedView): Promise<void> =>
  change(db, (views) => withView(views, view))

/** Forgets the view of that list and name. */
export const removeView = (
  db: SomaDb,
  { list, name }: Pick<SavedView, 'list' | 'name'>,
): Promise<void> =>
  change(db, (views) => views.filter((view) => view.list !== list || view.name !== name))

const change = (db: SomaDb, changed: (views: SavedView[]) => SavedView[]): Promise<void> =>
  db.transaction('rw', [db.meta, db.sessions], async () => {
    const key = `views:${await currentAccount(db)}` as const
    await putState(db, key, changed((await getState(db, key)) ?? []))
  })
