import type { EngineDb } from '../engine-db.ts'
import { note } from './diagnostics.ts'

/**
 * Marks the login of `account` as expired: its queue waits for a login. Inside the caller's transaction.
 * `token` was refused; nothing happens to a login that has followed since with another.
 */
export async function markExpired(
  db: EngineDb,
  account: string,
  token: string | undefined,
): Promise<void> {
  const session = await db.sessions.get('current')
  if (session?.account !== account || session.token !== token) return
  await db.sessions.put({ ...session, expired: true })
  note('The server no longer takes the token of this login')
}
