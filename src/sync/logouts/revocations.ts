import type { EngineDb, Revocation } from '../database/engine-db.ts'
import { hasAny } from '../database/has-any.ts'

/** Queues the logout of this token for the server (S39). `now`: milliseconds since 1970. */
export async function queueRevocation(db: EngineDb, token: string, now: number): Promise<void> {
  await db.revocations.add({ token, at: now, attempts: 0, nextAt: 0 })
}

/** Whether a logout has still to reach the server. */
export const hasRevocations = (db: EngineDb): PromiseLike<boolean> => hasAny(db.revocations)

/** Tokens whose logout has not reached the server, oldest first. */
export const revocations = (db: EngineDb): Promise<Revocation[]> => db.revocations.toArray()

/** Forgets a token whose logout has reached the server. */
export const deleteRevocation = (db: EngineDb, id: number): Promise<void> =>
  db.revocations.delete(id)

/** Notes a try that failed, and when the next is due. */
export async function postponeRevocation(
  db: EngineDb,
  id: number,
  change: Pick<Revocation, 'attempts' | 'nextAt' | 'wait' | 'held'>,
): Promise<void> {
  await db.revocations.update(id, change)
}
