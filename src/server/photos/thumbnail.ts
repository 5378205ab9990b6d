import { workQueue } from '../limits/work-queue.ts'
import { StorageUnavailable } from '../ports/photos/storage-problem.ts'
import { sharp } from './sharp-settings.ts'

/** Where thumbnails are kept, and the public photos they are made of. */
type ThumbnailPlace = {
  photo(name: string): PhotoSource
  keep(name: string, thumbnail: Uint8Array): Promise<unknown>
  isPublic(name: string): Promise<boolean>
  remove(name: string): Promise<unknown>
}

/**
 * Gives the function that makes the thumbnail of a public photo and keeps it; many who ask at once wait
 * for the same one. It returns `undefined` when the photo is not there or cannot be decoded. `known`: the
 * photo, where the caller holds it. Throws `StorageUnavailable`.
 */
export function newThumbnails({ photo, keep, isPublic, remove }: ThumbnailPlace) {
  const underWay = new Map<string, Promise<Uint8Array | undefined>>()

  async function make(name: string, known?: Uint8Array) {
    const bytes = await makeThumbnail(known ?? photo(name)).catch((error: unknown) => {
      if (error instanceof StorageUnavailable) throw error
      return undefined
    })
    if (!bytes) return undefined
    // If it cannot be stored, the next request makes it again.
    await keep(name, bytes).catch(() => undefined)
    // Not if the photo was made private or deleted meanwhile (R55).
    if (await isPublic(name)) return bytes
    await remove(name)
    return undefined
  }

  return (name: string, known?: Uint8Array): Promise<Uint8Array | undefined> => {
    const asked = underWay.get(name) ?? make(name, known).finally(() => underWay.delete(name))
    underWay.set(name, asked)
    return asked
  }
}

/** Pixels of each side: lists show a photo in a square of at most 80, on screens of twice the density. */
const side = 160
/** Bytes of a thumbnail (R122). */
const maxBytes = 8_000
/** Tried one after the other, until the thumbnail is small enough; the last always is. */
const qualities = [70, 50, 30, 10]

const queued = workQueue(1, 64)

/** A photo as a file's path, as its bytes, or as the function that reads it once it is its turn. */
type PhotoSource = string | Uint8Array | (() => Promise<Uint8Array>)

/** A square WebP of at most 8 kB of this photo (R122). Rejects when it cannot be decoded. */
const makeThumbnail = (photo: PhotoSource): Promise<Uint8Array> =>
  queued(async () => {
    const square = await sharp(typeof photo === 'function' ? await photo() : photo, {
      failOn: 'none',
    })
      .resize({ width: side, height: side, fit: 'cover' })
      .png()
      .toBuffer()
    for (const quality of qualities) {
      const made = await sharp(square).webp({ quality, effort: 4 }).toBuffer()
      if (made.length <= maxBytes) return made
    }
    return sharp(square).blur(4).webp({ quality: 1 }).toBuffer()
  })
