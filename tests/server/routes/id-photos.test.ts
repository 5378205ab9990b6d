import { decodingUploads } from '../../helpers/pictures.ts'
import { startDexieServer } from '../../helpers/server/dexie-server.ts'
import { startTestServer } from '../../helpers/server/server.ts'
import { idPhotoTests } from './id-photos.ts'

/* The photos are in a folder in both. */
idPhotoTests('PostgreSQL', () => startTestServer(undefined, decodingUploads()))
idPhotoTests('IndexedDB', () => startDexieServer(decodingUploads()))
