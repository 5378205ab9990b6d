import { movePhotosToBucket } from '../move-photos.ts'
import type { Task } from './task.ts'

export const movePhotos: Task = {
  args: [],
  about: 'copies the photos of this disk to the bucket of PHOTOS=s3',
  runWithout: async (config) => ({ lines: await movePhotosToBucket(config) }),
}
