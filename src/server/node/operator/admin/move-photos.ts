import { join } from 'node:path'
import { objectStorageClient } from '../../../photos/object-storage/client.ts'
import { copyPhotos } from '../../../photos/object-storage/copy-photos.ts'
import { StartupError } from '../../../startup-error.ts'
import type { Config } from '../../startup/config.ts'
import type { Task } from './task.ts'

export const movePhotos: Task = {
  args: [],
  about: 'copies the photos of this disk to the bucket of PHOTOS=s3',
  runWithout: async (config) => ({ lines: await movePhotosToBucket(config) }),
}

/**
 * `npm run admin -- move-photos`: copies the photos below `DATA_DIR` to the bucket of `PHOTOS=s3`, whether or
 * not a server runs. The files stay. Returns the lines to print. Throws `StartupError`.
 */
export async function movePhotosToBucket({ dataDir, objectStorage }: Config): Promise<string[]> {
  if (!objectStorage) throw new StartupError('move-photos needs PHOTOS=s3 and the settings of S3.')
  const bucket = objectStorageClient(objectStorage)
  const problem = await bucket.probe()
  if (problem) throw new StartupError(problem.line)
  const { copied, present, failed } = await copyPhotos(join(dataDir, 'images'), bucket)
  const counts = `${copied} files were copied to the bucket and checked, ${present} were there already`
  if (failed.length > 0) {
    const names = failed.slice(0, 10).join(', ')
    throw new StartupError(
      `${counts}, ${failed.length} could not be copied: ${names}. Run it again.`,
    )
  }
  return [`${counts}. The files on the disk stay: delete them once all is well.`]
}
