import { unsentKeys } from '#store/outbox/enqueue.ts'
import type { Session } from '#store/rows.ts'
import type { SomaDb } from '#store/soma-db.ts'
import type { Tools } from './platform/context.ts'
import { leave } from './sign-in.ts'

/**
 * The server no longer takes the token. With something unsent the session stays, marked, so that
 * the person is asked to sign in to send it; otherwise they are simply signed out (spec §4).
 */
export async function expire(tools: Tools, account: string): Promise<void> {
  const { db } = tools
  const signsOut = await db.transaction('rw', [db.sessions, db.outbox], async () => {
    const session = await db.sessions.get('current')
    if (session?.account !== account) return false
    if ((await unsentOf(db, account)) === 0) return true
    await markExpired(db, session)
    return false
  })
  if (signsOut) await leave(tools, account)
}

/** Inside the caller's transaction, for whoever has something unsent: their queue waits for a login. */
export async function waitForLogin(db: SomaDb, account: string): Promise<void> {
  const session = await db.sessions.get('current')
  if (session?.account === account) await markExpired(db, session)
}

const markExpired = (db: SomaDb, session: Session) => db.sessions.put({ ...session, expired: true })

const unsentOf = (db: SomaDb, account: string) =>
  db.outbox.where('[account+state]').anyOf(unsentKeys(account)).count()
