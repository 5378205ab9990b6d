import { product } from '#domain/product.ts'
import { storedDiagnostics } from '../database/device/diagnostics.ts'
import type { Entry } from '../deliveries/operations.ts'
import { draft, outbox } from '../queries/queries.ts'
import type { Photo } from '../rows.ts'
import type { SomaDb } from '../soma-db.ts'

/**
 * Everything of this person that has not reached the server, as one JSON file with its photos in it
 * as data URLs, and the engine's last events. What proves a guest to the server stays on the phone. `now` in milliseconds since 1970.
 */
export async function unsentFile(db: SomaDb, now: number): Promise<Blob> {
  const entries = (await outbox(db)).filter(
    ({ state }) => state !== 'done' && state !== 'cancelled',
  )
  const typed = await draft(db)
  const photoIds = new Set(entries.flatMap(({ photos }) => photos))
  if (typed?.photo) photoIds.add(typed.photo)
  const photos = (await db.photos.bulkGet([...photoIds])).filter((photo) => photo !== undefined)
  const diagnostics = await storedDiagnostics(db)
  const content = {
    app: product,
    savedAt: new Date(now).toISOString(),
    items: entries.reverse().map(readable),
    draft: typed ?? undefined,
    photos: Object.fromEntries(photos.map((photo) => [photo.id, dataUrl(photo)])),
    diagnostics,
  }
  return new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' })
}

const readable = ({ id, op, title, state, error, occurredAt, input, photos }: Entry) => ({
  id,
  what: op,
  title,
  state,
  reason: error?.message,
  when: occurredAt,
  details: { ...input, guestSecret: undefined },
  photos,
})

function dataUrl({ bytes, type }: Photo): string {
  let text = ''
  const all = new Uint8Array(bytes)
  // In pieces: a call takes only so many arguments.
  for (let at = 0; at < all.length; at += 8_192)
    text += String.fromCharCode(...all.subarray(at, at + 8_192))
  return `data:${type};base64,${btoa(text)}`
}
