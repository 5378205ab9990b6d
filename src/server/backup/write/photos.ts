import { createReadStream } from 'node:fs'
import { link, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { to as copyTo } from 'pg-copy-streams'
import { isPhotoName } from '../../ports/photos/photo-names.ts'
import { checksumOf } from '../checksums.ts'
import { names, type StoredFile } from '../manifest.ts'
import { ownerOnly, storeFile } from './files.ts'
import type { Snapshot } from './snapshot.ts'

/** The path of a photo below `DATA_DIR/images`, and below `photos/` in a backup. */
const photoPath = (name: string, isPrivate: boolean) =>
  join(isPrivate ? 'private' : '', name.slice(0, 2), name)

type StoredPhotos = {
  count: number
  bytes: number
  /** Names of the photos that were not found. */
  missing: string[]
  file: StoredFile
}

type Places = {
  /** `DATA_DIR/images`. */
  images: string
  /** The backup that is being written. */
  folder: string
  /** An earlier backup: a photo that it has too is linked, where the two are on another disk than the images. */
  earlier?: string
}

/**
 * Puts every photo that the snapshot names below `photos/`, and their checksums into `photos.sha256`. Photos
 * are never changed in place, so a hard link is a copy that uses no space.
 */
export async function storePhotos(
  snapshot: Pick<Snapshot, 'client' | 'tables'>,
  places: Places,
  signal: AbortSignal | undefined,
): Promise<StoredPhotos> {
  const missing: string[] = []
  const total = { count: 0, bytes: 0 }
  async function* checksumLines() {
    for await (const { name, isPrivate } of photosOf(snapshot)) {
      signal?.throwIfAborted()
      const path = join('photos', photoPath(name, isPrivate))
      const stored = await storePhoto(name, isPrivate, path, places, signal)
      if (!stored) {
        missing.push(name)
        continue
      }
      total.count++
      total.bytes += stored.bytes
      yield `${stored.sha256}  ${path}\n`
    }
  }
  const lines = Readable.from(checksumLines(), { objectMode: false })
  const file = await storeFile(places.folder, names.photoSums, lines, { signal })
  return { ...total, missing, file }
}

/** The photos of the snapshot. A database of an early version has no table of them. */
async function* photosOf({ client, tables }: Pick<Snapshot, 'client' | 'tables'>) {
  if (!tables.some(({ name }) => name === 'photos')) return
  const rows = client.query(
    copyTo('copy (select name, is_private from public.photos order by name) to stdout'),
  )
  for await (const line of createInterface({ input: rows, crlfDelay: Infinity })) {
    const [name = '', isPrivate] = line.split('\t')
    if (isPhotoName(name)) yield { name, isPrivate: isPrivate === 't' }
  }
}

/** `undefined` when the photo is not there: it may have been deleted since the snapshot. */
async function storePhoto(
  name: string,
  isPrivate: boolean,
  path: string,
  { images, folder, earlier }: Places,
  signal: AbortSignal | undefined,
): Promise<Pick<StoredFile, 'bytes' | 'sha256'> | undefined> {
  const target = join(folder, path)
  await mkdir(dirname(target), { recursive: true, mode: ownerOnly.folder })
  // A photo may become private, and be moved, while it is looked for.
  for (const place of [isPrivate, !isPrivate, isPrivate]) {
    const source = join(images, photoPath(name, place))
    try {
      if (await isLinked(source, target)) return await checksumOf(target, signal)
      return await copyOrLink(source, folder, path, earlier && join(earlier, path), signal)
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error
    }
  }
  return undefined
}

/** False where the two are on different disks, or the disk knows no links. Throws when there is no source. */
async function isLinked(source: string, target: string): Promise<boolean> {
  try {
    await link(source, target)
    return true
  } catch (error) {
    if (unlinkable.includes(codeOf(error))) return false
    throw error
  }
}
const unlinkable = ['EXDEV', 'EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']

async function copyOrLink(
  source: string,
  folder: string,
  path: string,
  earlier: string | undefined,
  signal: AbortSignal | undefined,
) {
  if (earlier && (await isSame(source, earlier, signal))) {
    const target = join(folder, path)
    if (await isLinked(earlier, target).catch(() => false)) return checksumOf(target, signal)
  }
  try {
    return await storeFile(folder, path, createReadStream(source), { signal })
  } catch (error) {
    await rm(join(folder, path), { force: true })
    throw error
  }
}

async function isSame(one: string, other: string, signal: AbortSignal | undefined) {
  const found = await checksumOf(other, signal).catch(() => undefined)
  return found !== undefined && found.sha256 === (await checksumOf(one, signal)).sha256
}

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error ? String(error.code) : ''
