import { countUnsent } from '../outbox/unsent.ts'
import { currentSession } from './account.ts'
import { markExpired } from './expired-session.ts'
import { type Device, signOut } from './sign-in.ts'

/**
 * The server no longer takes the token. With something unsent the session stays, marked, so that
 * the person is asked to log in to send it; otherwise they are signed out (S14). Nothing happens to a
 * login that has followed since: its token is another.
 */
export async function expireSession(
  device: Device,
  account: string,
  token: string | undefined,
): Promise<void> {
  const { db } = device
  const signsOut = await db.transaction('rw', [db.sessions, db.outbox], async () => {
    const session = await currentSession(db)
    if (session?.account !== account || session.token !== token) return false
    if ((await countUnsent(db, account)) === 0) return true
    await markExpired(db, account)
    return false
  })
  if (signsOut) await signOut(device, account)
}
