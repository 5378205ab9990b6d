import { note } from '../database/device/diagnostics.ts'
import type { EngineDb } from '../database/engine-db.ts'

/** Marks the login of `account` as expired: its queue waits for a login. Inside the caller's transaction. */
export async function markExpired(db: EngineDb, account: string): Promise<void> {
  const session = await db.sessions.get('current')
  if (session?.account !== account) return
  await db.sessions.put({ ...session, expired: true })
  note('The server no longer takes the token of this login')
}
