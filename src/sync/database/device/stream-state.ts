import { type EngineDb, guestAccount, type Session } from '../engine-db.ts'
import { deleteState, getState, putState, type StreamState } from './state.ts'

/** A guest's stream stands under a name that begins so: they have no account. */
const ofGuest = `${guestAccount} `

/** Whether events of this account may still be taken in: a guest's, while nobody is logged in. */
const isListening = (session: Session | undefined, account: string): boolean =>
  session && !session.expired ? session.account === account : account.startsWith(ofGuest)

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
    if (!isListening(session, account)) {
      if (before?.account === account) await deleteState(db, 'stream')
      return
    }
    await putState(db, 'stream', {
      ...received,
      last: (before?.last ?? 0) + changes.length,
      changes: [...(before?.changes ?? []), ...changes].slice(-remembered),
    })
  })
