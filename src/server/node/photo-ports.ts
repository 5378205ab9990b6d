import { join } from 'node:path'
import { freeBytesOf, imageFolder, restrictImageFolder } from '../photos/image-folder.ts'
import { objectStorageClient } from '../photos/object-storage/client.ts'
import { objectImages } from '../photos/object-storage/object-images.ts'
import type { ObjectStorageSettings } from '../photos/object-storage/settings.ts'
import { assertSharpSettings } from '../photos/sharp-settings.ts'
import { photoUploads, removeStaleUploads } from '../photos/uploads.ts'
import type { ImageStore, Log, Ports } from '../ports/ports.ts'
import { StartupError } from '../startup-error.ts'
import type { Config } from './startup/config.ts'

/**
 * The built-in image provider: photos in a bucket, or in a folder that its owner alone can read. Throws
 * `StartupError` when the bucket cannot be used.
 */
export async function photoPorts(
  { dataDir, objectStorage }: Pick<Config, 'dataDir' | 'objectStorage'>,
  log: Log,
): Promise<Pick<Ports, 'images' | 'uploads'>> {
  const folder = join(dataDir, 'images')
  const arriving = join(folder, 'arriving')
  await assertSharpSettings()
  await restrictImageFolder(folder)
  await removeStaleUploads(arriving)
  const images = objectStorage ? await openBucket(objectStorage, folder, log) : imageFolder(folder)
  return { images, uploads: photoUploads(arriving) }
}

async function openBucket(
  settings: ObjectStorageSettings,
  folder: string,
  log: Log,
): Promise<ImageStore> {
  const bucket = objectStorageClient(settings, { log })
  const problem = await bucket.probe()
  if (problem) throw new StartupError(problem.line)
  return objectImages(bucket, () => freeBytesOf(folder))
}
