import type { Tools } from './tools.ts'

/** What the header and the outbox screen say of the network; written only when it changes the saying. */
export async function noteReachable(
  { db, clock }: Tools,
  reachable: boolean,
  synced: boolean,
): Promise<void> {
  const before = await db.meta.get('reachable')
  if (before?.value !== reachable) await db.meta.put({ key: 'reachable', value: reachable })
  if (synced) await db.meta.put({ key: 'lastSyncAt', value: clock.now() })
}

type Day = { day: string; up: number; down: number }

/** Adds what the transport has counted to today's sum, by this device's calendar. */
export async function countBytes({ db, clock, meter }: Tools): Promise<void> {
  const { up, down } = meter
  if (up + down === 0) return
  Object.assign(meter, { up: 0, down: 0 })
  const day = new Date(clock.now()).toDateString()
  await db.transaction('rw', db.meta, async () => {
    const before = (await db.meta.get('bytes'))?.value as Day | undefined
    const sum =
      before?.day === day ? { up: before.up + up, down: before.down + down } : { up, down }
    await db.meta.put({ key: 'bytes', value: { day, ...sum } })
  })
}
