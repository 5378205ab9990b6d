import { readFile } from 'node:fs/promises'
import { contentTypeOf } from '../../ports/photos/image-type.ts'
import { isPhotoName } from '../../ports/photos/photo-names.ts'
import { StorageUnavailable } from '../../ports/photos/storage-problem.ts'
import { type StoredFile, storedFiles } from '../image-folder.ts'
import { sha256 } from './bucket.ts'
import type { ObjectStorageClient } from './client.ts'
import { keyOf, thumbnailKeyOf } from './object-images.ts'

/** Files copied at once. */
const parallel = 8

/** Counts of files, thumbnails included, and the names of those that failed. */
type Moved = { copied: number; present: number; failed: string[] }

/**
 * Copies every photo and thumbnail below `folder` to the bucket, and reads back the size and the hash that
 * the storage then has. What is there already with this size and hash is left alone, so it may run again,
 * also beside a server that uses either place.
 */
export async function copyPhotos(folder: string, bucket: ObjectStorageClient): Promise<Moved> {
  const moved: Moved = { copied: 0, present: 0, failed: [] }
  const files = storedFiles(folder)
  const work = async () => {
    for await (const file of files) {
      if (!isPhotoName(file.name)) continue
      const outcome = await copyFile(file, bucket)
      if (outcome === 'failed') moved.failed.push(file.name)
      else if (outcome !== 'gone') moved[outcome]++
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  return moved
}

async function copyFile(
  { path, name, kind }: StoredFile,
  bucket: ObjectStorageClient,
): Promise<'copied' | 'present' | 'failed' | 'gone'> {
  const bytes = await readFile(path).catch((error: unknown) => codeOf(error))
  // The server may delete or move it meanwhile.
  if (typeof bytes === 'string') return bytes === 'ENOENT' ? 'gone' : 'failed'
  const isThumbnail = kind === 'thumbnail'
  const key = isThumbnail ? thumbnailKeyOf(name) : keyOf(name, kind === 'private')
  const isThere = async () => {
    const found = await bucket.head(key)
    return found?.size === bytes.length && found.sha256 === sha256(bytes)
  }
  try {
    if (await isThere()) return 'present'
    await bucket.put(key, bytes, isThumbnail ? 'image/webp' : contentTypeOf(name))
    return (await isThere()) ? 'copied' : 'failed'
  } catch (error) {
    if (error instanceof StorageUnavailable) return 'failed'
    throw error
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''
