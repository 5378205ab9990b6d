import { contentTypeOf } from '../../ports/photos/image-type.ts'
import { isPhotoName } from '../../ports/photos/photo-names.ts'
import type { ImageStore } from '../../ports/ports.ts'
import { storedImage } from '../stored-image.ts'
import { newThumbnails } from '../thumbnail.ts'
import type { ObjectStorageClient } from './client.ts'
import { type Chunk, objectStream } from './object-stream.ts'

/** Bytes of a photo in memory at once, for each reader: most photos are one or two chunks. */
const chunkBytes = 256 * 1024

/**
 * Stores photos as objects of a bucket: public ones below `photos/`, private ones below `private/`, and
 * thumbnails below `thumbnails/`. The bucket itself is open to nobody. Every method throws
 * `StorageUnavailable` when the storage does not do what it is asked. `freeBytes` are those where uploads
 * arrive before they are decoded.
 */
export function objectImages(
  bucket: ObjectStorageClient,
  freeBytes: () => Promise<number>,
): Required<Omit<ImageStore, 'holdsDrawings'>> {
  /** The chunk of the first of these objects that is there, from this byte on. */
  async function readChunk([key, ...others]: string[], from: number): Promise<Chunk | undefined> {
    if (key === undefined) return undefined
    const found = await bucket.get(key, `bytes=${from}-${from + chunkBytes - 1}`)
    if (!found) return readChunk(others, from)
    const { bytes, place } = found
    // A storage that knows no ranges sends the whole object.
    if (place === undefined) return { bytes: bytes.slice(from), size: bytes.length }
    return { bytes, size: Number(/\/(\d+)$/.exec(place)?.[1]) }
  }

  const newThumbnail = newThumbnails({
    photo: (name) => async () => {
      const found = await bucket.get(keyOf(name, false))
      if (!found) throw new Error('There is no such photo')
      return found.bytes
    },
    keep: (name, bytes) => bucket.put(thumbnailKeyOf(name), bytes, 'image/webp'),
    isPublic: async (name) => (await bucket.head(keyOf(name, false))) !== undefined,
    remove: (name) => bucket.remove(thumbnailKeyOf(name)),
  })

  return {
    async put(name, bytes, isPrivate = false) {
      // Also when it is there already: garbage collection goes by the object's time.
      await bucket.put(keyOf(name, isPrivate), bytes, contentTypeOf(name))
    },
    async open(name, isPrivate = false) {
      // Twice the private place: `hide` may move the photo there while it is looked for, or read.
      const keys = isPrivate
        ? [keyOf(name, true), keyOf(name, false), keyOf(name, true)]
        : [keyOf(name, false)]
      const first = await readChunk(keys, 0)
      if (!first) return undefined
      return {
        size: first.size,
        stream: () => objectStream(first, (from) => readChunk(keys, from)),
      }
    },
    async thumbnail(name, photo) {
      const kept = await bucket.get(thumbnailKeyOf(name))
      if (kept) return storedImage(kept.bytes)
      const bytes = await newThumbnail(name, photo)
      return bytes && storedImage(new Uint8Array(bytes))
    },
    async hide(name) {
      const isCopied = await bucket.copy(keyOf(name, false), keyOf(name, true))
      if (isCopied) await bucket.remove(keyOf(name, false))
      // Last, so that a thumbnail made meanwhile finds the photo gone.
      await bucket.remove(thumbnailKeyOf(name))
    },
    async copyToPrivate(from, to) {
      return bucket.copy(keyOf(from, false), keyOf(to, true))
    },
    async remove(name) {
      await bucket.remove(keyOf(name, true))
      await bucket.remove(keyOf(name, false))
      await bucket.remove(thumbnailKeyOf(name))
    },
    async *list() {
      for (const isPrivate of [true, false])
        for await (const objects of bucket.list(folderOf(isPrivate)))
          yield objects
            .map(({ key, changedAt }) => ({
              name: key.slice(folderOf(isPrivate).length),
              isPrivate,
              changedAt,
            }))
            .filter(({ name }) => isPhotoName(name))
    },
    freeBytes,
    problem: bucket.problem,
  }
}

const folderOf = (isPrivate: boolean) => (isPrivate ? 'private/' : 'photos/')

/** The key of a photo. Throws for a name that is none: it could be the key of another object. */
export function keyOf(name: string, isPrivate: boolean): string {
  if (!isPhotoName(name)) throw new Error('This is not the name of a photo')
  return folderOf(isPrivate) + name
}

export const thumbnailKeyOf = (name: string): string => {
  if (!isPhotoName(name)) throw new Error('This is not the name of a photo')
  return `thumbnails/${name}.webp`
}
