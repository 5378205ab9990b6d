import type { EngineDb } from '../database/engine-db.ts'
import { hasAny } from '../database/has-any.ts'

/** Queues the logout of this token for the server (S39). `now`: milliseconds since 1970. */
export async function queueRevocation(db: EngineDb, token: string, now: number): Promise<void> {
  await db.revocations.add({ token, at: now, attempts: 0, nextAt: 0 })
}

/** Whether a logout has still to reach the server. */
export const hasRevocations = (db: EngineDb): PromiseLike<boolean> => hasAny(db.revocations)
