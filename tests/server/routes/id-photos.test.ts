import { decodingUploads } from '../../helpers/pictures.ts'
import { startTestServer } from '../../helpers/server/server.ts'
import { idPhotoTests } from './id-photos.ts'

/* The photos are in a folder. */
idPhotoTests('PostgreSQL', () => startTestServer(undefined, decodingUploads()))
