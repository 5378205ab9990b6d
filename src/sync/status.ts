import type { Tools } from './platform/context.ts'

/** What the header and the outbox screen say of the network; written only when it changes the saying. */
export async function noteReachable({ db }: Tools, reachable: boolean): Promise<void> {
  const before = await db.meta.get('reachable')
  if (before?.value !== reachable) await db.meta.put({ key: 'reachable', value: reachable })
}

type Day = { day: string; up: number; down: number }

/**
 * Adds what the transport has counted to today's sum, by this device's calendar. `lastSyncAt`: when
 * the server last answered, where it has since.
 */
export async function noteTraffic({ db, clock, meter }: Tools, lastSyncAt?: number): Promise<void> {
  const { up, down } = meter
  if (up + down === 0 && lastSyncAt === undefined) return
  Object.assign(meter, { up: 0, down: 0 })
  const day = new Date(clock.now()).toDateString()
  await db.transaction('rw', db.meta, async () => {
    const before = (await db.meta.get('bytes'))?.value as Day | undefined
    const sum =
      before?.day === day ? { up: before.up + up, down: before.down + down } : { up, down }
    await db.meta.bulkPut([
      { key: 'bytes', value: { day, ...sum } },
      ...(lastSyncAt === undefined ? [] : [{ key: 'lastSyncAt', value: lastSyncAt }]),
    ])
  })
}
