import { afterAll } from 'vitest'
import { decodingUploads } from '../../../helpers/pictures.ts'
import { photosInBucket } from '../../../helpers/server/bucket.ts'
import { startObjectStorage } from '../../../helpers/server/object-storage.ts'
import { startTestServer } from '../../../helpers/server/server.ts'
import { idPhotoTests } from '../../../server/routes/id-photos.ts'

const storage = await startObjectStorage()
afterAll(() => storage.close())
const inBucket = () => ({ ...decodingUploads(), images: photosInBucket(storage) })

idPhotoTests('PostgreSQL and a bucket', () => startTestServer(undefined, inBucket()))
