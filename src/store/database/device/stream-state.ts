import type { EngineDb } from '../engine-db.ts'
import { deleteState, getState, putState, type StreamState } from './state.ts'

/** Changes that are remembered for tabs that were not listening. */
const remembered = 100

/**
 * Stores what the tab with the event stream has received, for the other tabs (S22). Of an account that has
 * logged out meanwhile, or whose token has ended, nothing stays (S59). `at`: milliseconds since 1970.
 */
export const noteStream = (db: EngineDb, received: Omit<StreamState, 'last'>): Promise<void> =>
  db.transaction('rw', [db.meta, db.sessions], async () => {
    const { account, changes } = received
    const before = await getState(db, 'stream')
    const session = await db.sessions.get('current')
    if (session?.account !== account || session.expired) {
      if (before?.account === account) await deleteState(db, 'stream')
      return
    }
    await putState(db, 'stream', {
      ...received,
      last: (before?.last ?? 0) + changes.length,
      changes: [...(before?.changes ?? []), ...changes].slice(-remembered),
    })
  })
