import type { EngineDb } from '../database/engine-db.ts'
import { isStillHere } from './pulls.ts'
import { allReadable, saveUnreadable } from './unreadable.ts'

/** The whole answer to a list, or to one thing, could not be read (S48). `at`: milliseconds since 1970. */
export async function noteUnreadable(
  db: EngineDb,
  place: { account: string; list: string; at: number },
  id: string,
): Promise<void> {
  await db.transaction('rw', [db.setAside, db.sessions], async () => {
    if (!(await isStillHere(db, place.account))) return
    await saveUnreadable(db, place, { ...allReadable, found: [{ ID: id }] })
  })
}
