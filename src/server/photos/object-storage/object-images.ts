import { isPhotoName } from '../../ports/photo-names.ts'
import type { ImageStore, Log } from '../../ports/ports.ts'
import { contentTypeOf } from '../image-type.ts'
import { storedImage } from '../stored-image.ts'
import { newThumbnails } from '../thumbnail.ts'
import { type ObjectRequest, type ObjectStorageClient, sha256 } from './client.ts'
import { describeProblem } from './describe-problem.ts'
import { listObjects } from './list-objects.ts'
import { type Chunk, objectStream } from './object-stream.ts'
import { type HealthTimes, storageHealth } from './storage-health.ts'
import { StorageUnavailable } from './storage-problem.ts'

/** Bytes of a photo in memory at once, for each reader: most photos are one or two chunks. */
const chunkBytes = 256 * 1024

/** Seconds for which the address of a private photo is good. It never leaves the server. */
const privateAddressLifetime = 60

type Options = {
  log: Pick<Log, 'warn' | 'info'>
  /** Free bytes where uploads arrive before they are decoded. */
  freeBytes: () => Promise<number>
  healthTimes?: HealthTimes
}

/**
 * Stores photos as objects of a bucket: public ones below `photos/`, private ones below `private/`, and
 * thumbnails below `thumbnails/`. The bucket itself is open to nobody. Every method throws
 * `StorageUnavailable` when the storage does not do what it is asked.
 */
export function objectImages(
  client: ObjectStorageClient,
  { log, freeBytes, healthTimes }: Options,
): Required<Omit<ImageStore, 'holdsDrawings'>> {
  const health = storageHealth(client, log, healthTimes)

  async function send(request: ObjectRequest) {
    try {
      return await client.send(request)
    } catch (error) {
      if (error instanceof StorageUnavailable) health.suspect()
      throw error
    }
  }

  const remove = (key: string) => send({ method: 'DELETE', key })

  /** The chunk of the first of these objects that is there, from this byte on. */
  async function readChunk([key, ...others]: string[], from: number): Promise<Chunk | undefined> {
    if (key === undefined) return undefined
    const { status, headers, body } = await send({
      method: 'GET',
      key,
      headers: { range: `bytes=${from}-${from + chunkBytes - 1}` },
      signedFor: isPrivateKey(key) ? privateAddressLifetime : undefined,
    })
    if (status === 404) return readChunk(others, from)
    // A storage that knows no ranges sends the whole object.
    if (status !== 206) return { bytes: body.slice(from), size: body.length }
    return { bytes: body, size: Number(/\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1]) }
  }

  /** Copies an object within the bucket. False when there is none. */
  async function copy(from: string, to: string): Promise<boolean> {
    const source = { 'x-amz-copy-source': `/${client.settings.bucket}/${from}` }
    const { status, body } = await send({ method: 'PUT', key: to, headers: source })
    if (status === 404) return false
    // S3 may answer 200 before it copies, and only then say that it failed.
    if (Buffer.from(body).includes('<CopyObjectResult')) return true
    throw new StorageUnavailable(
      describeProblem(client.settings, { action: 'write to', status, code: 'InternalError' }),
    )
  }

  const newThumbnail = newThumbnails({
    photo: (name) => async () => {
      const { status, body } = await send({ method: 'GET', key: keyOf(name, false) })
      if (status === 404) throw new Error('There is no such photo')
      return body
    },
    keep: (name, bytes) => send(writeRequest(thumbnailKeyOf(name), bytes, 'image/webp')),
    isPublic: async (name) => {
      const { status } = await send({ method: 'HEAD', key: keyOf(name, false) })
      return status !== 404
    },
    remove: (name) => remove(thumbnailKeyOf(name)),
  })

  return {
    async put(name, bytes, isPrivate = false) {
      // Also when it is there already: garbage collection goes by the object's time.
      await send(writeRequest(keyOf(name, isPrivate), bytes, contentTypeOf(name)))
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
      const { status, body } = await send({ method: 'GET', key: thumbnailKeyOf(name) })
      if (status !== 404) return storedImage(body)
      const bytes = await newThumbnail(name, photo)
      return bytes && storedImage(new Uint8Array(bytes))
    },
    async hide(name) {
      const isCopied = await copy(keyOf(name, false), keyOf(name, true))
      if (isCopied) await remove(keyOf(name, false))
      // Afterwards: one that is made meanwhile sees that the photo is gone.
      await remove(thumbnailKeyOf(name))
    },
    async copyToPrivate(from, to) {
      return copy(keyOf(from, false), keyOf(to, true))
    },
    async remove(name) {
      await remove(keyOf(name, true))
      await remove(keyOf(name, false))
      await remove(thumbnailKeyOf(name))
    },
    async *list() {
      for (const isPrivate of [true, false])
        for await (const objects of listObjects({ send }, folderOf(isPrivate)))
          yield objects
            .map(({ key, changedAt }) => ({
              name: key.slice(folderOf(isPrivate).length),
              isPrivate,
              changedAt,
            }))
            .filter(({ name }) => isPhotoName(name))
    },
    freeBytes,
    problem: health.problem,
  }
}

const folderOf = (isPrivate: boolean) => (isPrivate ? 'private/' : 'photos/')

const isPrivateKey = (key: string) => key.startsWith(folderOf(true))

/** The key of a photo. Throws for a name that is none: it could be the key of another object. */
export function keyOf(name: string, isPrivate: boolean): string {
  if (!isPhotoName(name)) throw new Error('This is not the name of a photo')
  return folderOf(isPrivate) + name
}

export const thumbnailKeyOf = (name: string): string => {
  if (!isPhotoName(name)) throw new Error('This is not the name of a photo')
  return `thumbnails/${name}.webp`
}

/**
 * The request that stores these bytes. The storage checks them against the hash in its signature, and
 * keeps the hash as `x-amz-meta-sha256`.
 */
export const writeRequest = (
  key: string,
  body: Uint8Array,
  type = 'application/octet-stream',
): ObjectRequest => ({
  method: 'PUT',
  key,
  body,
  headers: { 'content-type': type, 'x-amz-meta-sha256': sha256(body) },
})
