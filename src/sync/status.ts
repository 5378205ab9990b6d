import { times } from '#domain/product.ts'
import { guestAccount } from '#store/db.ts'
import type { Tools } from './tools.ts'

const kept = 72 * 3_600_000

/** What the header and the outbox screen say of the network; written only when it changes the saying. */
export async function noteReachable({ db, clock }: Tools, reachable: boolean): Promise<void> {
  const now = clock.now()
  const before = await db.meta.get('reachable')
  if (before?.value !== reachable) await db.meta.put({ key: 'reachable', value: reachable })
  if (reachable) await db.meta.put({ key: 'lastSyncAt', value: now })
}

/** Bytes of bodies up and down today, by this device's calendar. */
export async function countBytes({ db, clock }: Tools, bytes: number): Promise<void> {
  if (bytes === 0) return
  const day = new Date(clock.now()).toDateString()
  await db.transaction('rw', db.meta, async () => {
    const before = (await db.meta.get('bytes'))?.value as { day: string; count: number } | undefined
    const count = before?.day === day ? before.count + bytes : bytes
    await db.meta.put({ key: 'bytes', value: { day, count } })
  })
}

/** A guest's record is removed after its 24 hours (spec §4), unless something of its delivery still waits. */
async function forgetOldGuests({ db, clock }: Tools): Promise<void> {
  // One whose time cannot be read is not old: it is set aside when the app starts again.
  const old = (await db.guests.toArray()).filter(
    ({ createdAt }) => clock.now() - Date.parse(createdAt) >= times.guestRecord,
  )
  for (const { id } of old) {
    const row = await db.deliveries.get([guestAccount, id])
    if (!row || (row.known && row.marks.length === 0)) await db.guests.delete(id)
  }
}

/** Ended entries stay 72 hours; photos go when nothing unsent, no draft and no entry needs them. */
export async function tidy(tools: Tools): Promise<void> {
  const { db, clock } = tools
  await forgetOldGuests(tools)
  const old = clock.now() - kept
  await db.transaction('rw', [db.outbox, db.photos, db.drafts, db.deliveries], async () => {
    const dead = await db.outbox
      .where('state')
      .anyOf('done', 'cancelled')
      .filter((entry) => (entry.endedAt ?? 0) < old)
      .primaryKeys()
    if (dead.length === 0) return
    await db.outbox.bulkDelete(dead)
    await dropUnusedPhotos()
  })

  async function dropUnusedPhotos() {
    const used = new Set<string>()
    await db.outbox.each((entry) => {
      for (const photo of entry.photos) used.add(photo)
    })
    await db.drafts.each(({ value }) => value.photo && used.add(value.photo))
    const unused = await db.photos
      .filter((photo) => !used.has(photo.id) && photo.keptAt < old)
      .primaryKeys()
    await db.photos.bulkDelete(unused)
  }
}
