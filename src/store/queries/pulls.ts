import { getState } from '#sync/database/device/state.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import { unreadableOf } from '#sync/lists/unreadable.ts'
import { currentAccount } from '../session.ts'
import type { SomaDb } from '../soma-db.ts'

/** Whether the server is there, and had no response when it was last asked for this list. */
export const isFailing = async (db: SomaDb, list: string): Promise<boolean> =>
  (await getState(db, `failing:${list}`)) !== undefined

/** How many rows of a list only a newer version of the app can read (S48). `list`: its key. */
export const unreadableRows = (db: SomaDb, list: string, account?: string): Promise<number> =>
  db.transaction('r', [db.setAside, db.sessions], async () => {
    const own = await unreadableOf(db, account ?? (await currentAccount(db)), list)
    return own.length + (await unreadableOf(db, '', list)).length
  })

/** Whether only a newer version of the app can read what the server has of this delivery (S48). */
export async function needsUpdate(db: SomaDb, id: string, account?: string): Promise<boolean> {
  const accounts = new Set([account ?? (await currentAccount(db)), guestAccount])
  for (const each of accounts)
    if ((await unreadableOf(db, each)).some(({ row }) => row === id)) return true
  return false
}
