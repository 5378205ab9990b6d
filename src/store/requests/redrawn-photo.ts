import type { SyncContext } from '#sync/platform/context.ts'
import { saveRedrawnPhoto } from '../deliveries/save/replies.ts'
import type { Photo } from '../rows.ts'
import type { SomaDb } from '../soma-db.ts'

/** A photo that an earlier release stored may carry its place: a page draws it anew. */
export async function redrawn(
  { db, redraw }: SyncContext<SomaDb>,
  photo: Photo,
): Promise<Pick<Photo, 'bytes' | 'type'>> {
  if (photo.redrawn || !redraw) return photo
  const drawn = await redraw(photo.bytes, photo.type).catch(() => undefined)
  if (!drawn) return photo
  await saveRedrawnPhoto(db, photo.id, drawn)
  return drawn
}
