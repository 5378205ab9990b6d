import { times } from '#domain/product.ts'
import { forgetLateAnswers } from '#store/account/forget-account.ts'
import { guestAccount } from '#store/database/engine-db.ts'
import { isUnsent } from '#store/outbox/entry.ts'
import type { Tools } from './platform/context.ts'

// One part of the app to load for all that is done beside sending and pulling.
export { forgetStrangers } from '#store/account/forget-account.ts'
export { setAsideUnreadable } from '#store/database/quarantine.ts'
export { dropImagesLeft } from './platform/image-cache.ts'
export { revokeTokens } from './session/revoke.ts'

const kept = 72 * 3_600_000

/** Ended entries stay 72 hours; photos go when nothing unsent, no draft and no entry needs them. */
export async function tidy(tools: Tools): Promise<void> {
  const { db, clock } = tools
  await forgetOldGuests(tools)
  await forgetLateAnswers(db)
  const old = clock.now() - kept
  await db.transaction('rw', [db.outbox, db.photos, db.drafts, db.deliveries], async () => {
    const dead = await db.outbox
      .where('state')
      .anyOf('done', 'cancelled')
      .filter((entry) => (entry.endedAt ?? 0) < old)
      .primaryKeys()
    if (dead.length === 0) return
    await db.outbox.bulkDelete(dead)
    const used = await usedPhotos(tools, () => true)
    const unused = await db.photos
      .filter((photo) => !used.has(photo.id) && photo.keptAt < old)
      .primaryKeys()
    await db.photos.bulkDelete(unused)
  })
}

/** Photos that are all there is of what somebody chose: of drafts, and of what has not been sent. */
export const unsentPhotos = (tools: Pick<Tools, 'db'>): Promise<Set<string>> =>
  usedPhotos(tools, (entry) => isUnsent(entry) || entry.state === 'refused')

async function usedPhotos(
  { db }: Pick<Tools, 'db'>,
  counts: (entry: { state: Parameters<typeof isUnsent>[0]['state'] }) => boolean,
): Promise<Set<string>> {
  const used = new Set<string>()
  await db.outbox.each((entry) => {
    if (counts(entry)) for (const photo of entry.photos) used.add(photo)
  })
  await db.drafts.each(({ value }) => value.photo && used.add(value.photo))
  return used
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
