import { Refusal } from '#domain/errors.ts'
import type { MakeEntry, NewEntry } from '../../entries/new-entry.ts'
import type { Photo } from '../../rows.ts'
import type { SomaDb } from '../../soma-db.ts'

/**
 * A photo goes up in an entry of its own, unless the provider already has it. Inside the command's
 * transaction. Throws `photo-not-hosted` where this device has no such photo.
 */
export async function uploadOf(
  { db, newEntry }: { db: SomaDb; newEntry: MakeEntry },
  stored: Photo | undefined,
  account: string,
  { itemDescription }: { itemDescription: string },
): Promise<NewEntry[]> {
  if (!stored) throw new Refusal('photo-not-hosted')
  const photo = stored.id
  if (stored.account !== account) await db.photos.update(photo, { account })
  if (stored.url) return []
  const entry = newEntry('uploadPhoto', account, `photo:${photo}`, { photo }, itemDescription)
  return [{ ...entry, photos: [photo], isPart: 1 }]
}
