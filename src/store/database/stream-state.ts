import { deleteState, getState, putState, type StreamState } from './device-state.ts'
import type { EngineDb } from './engine-db.ts'

/** Changes that are remembered for tabs that were not listening. */
const remembered = 100

/**
 * Notes what the tab with the event stream has heard, for the other tabs (S22). Of an account that has
 * logged out meanwhile nothing stays. `at`: milliseconds since 1970.
 */
export const noteStream = (
  db: EngineDb,
  heard: Pick<StreamState, 'account' | 'open' | 'at' | 'news'>,
): Promise<void> =>
  db.transaction('rw', [db.meta, db.sessions], async () => {
    const { account, open, at, news } = heard
    const before = await getState(db, 'stream')
    if ((await db.sessions.get('current'))?.account !== account) {
      if (before?.account === account) await deleteState(db, 'stream')
      return
    }
    await putState(db, 'stream', {
      account,
      open,
      at,
      last: (before?.last ?? 0) + news.length,
      news: [...(before?.news ?? []), ...news].slice(-remembered),
    })
  })
