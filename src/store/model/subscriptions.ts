import { type ListRef, listKey } from '#sync/lists/list-ref.ts'
import { loadedLazy, loadLazy } from '../load-lazy.ts'
import { hasGuests } from '../queries/has-stored.ts'
import { currentSession } from '../session.ts'
import type { SomaDb } from '../soma-db.ts'

/** What screens watch, and what the person would miss while away. `now`: milliseconds since 1970. */
export async function subscriptions(
  db: SomaDb,
  watched: readonly ListRef[],
  now: number,
): Promise<ListRef[]> {
  const all = [...watched, ...sharedLists, ...(await ownLists(db, watched, now))]
  return [...new Map(all.map((list) => [listKey(list), list])).values()]
}

/** Kept once for the whole device, whoever is logged in. */
const sharedLists: ListRef[] = [{ kind: 'config' }, { kind: 'zones' }, { kind: 'items' }]

/** Nothing for a visitor, and for want of a network to load it from. */
async function ownLists(db: SomaDb, watched: readonly ListRef[], now: number): Promise<ListRef[]> {
  const loaded = loadedLazy()
  if (!loaded && !(await currentSession(db)) && !(await hasGuests(db))) return []
  const lazy = loaded ?? (await loadLazy().catch(() => undefined))
  return (await lazy?.ownSubscriptions(db, watched, now)) ?? []
}
