import type { SomaDb } from '#store/db.ts'
import { unsentKeys } from '#store/outbox.ts'

/**
 * The server no longer takes the token. With something unsent the session stays, marked, so that
 * the person is asked to sign in to send it; otherwise they are simply signed out (spec §4).
 */
export async function expire(db: SomaDb, account: string): Promise<void> {
  const session = await db.sessions.get('current')
  if (session?.account !== account) return
  const unsent = await db.outbox.where('[account+state]').anyOf(unsentKeys(account)).count()
  if (unsent > 0) await db.sessions.put({ ...session, expired: true })
  else await db.sessions.delete('current')
}
