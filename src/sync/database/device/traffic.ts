import type { EngineDb } from '../engine-db.ts'
import { getState, putState } from './state.ts'

/** Notes whether anybody responds; written only when that changes. */
export async function noteReachable(db: EngineDb, reachable: boolean): Promise<void> {
  if ((await getState(db, 'reachable')) !== reachable) await putState(db, 'reachable', reachable)
}

/**
 * Adds bytes to the sum of the day, by this device's calendar (S25). `lastSyncAt`: when the server
 * last responded, where it has since. Times: milliseconds since 1970.
 */
export async function noteTraffic(
  db: EngineDb,
  now: number,
  { up, down }: { up: number; down: number },
  lastSyncAt?: number,
): Promise<void> {
  if (up + down === 0 && lastSyncAt === undefined) return
  const day = new Date(now).toDateString()
  await db.transaction('rw', db.meta, async () => {
    const before = await getState(db, 'bytes')
    const sum =
      before?.day === day ? { up: before.up + up, down: before.down + down } : { up, down }
    await putState(db, 'bytes', { day, ...sum })
    if (lastSyncAt !== undefined) await putState(db, 'lastSyncAt', lastSyncAt)
  })
}
