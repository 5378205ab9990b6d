import { tmpdir } from 'node:os'
import { freeBytesOf } from '#server/photos/image-folder.ts'
import { objectStorageClient, type Patience } from '#server/photos/object-storage/client.ts'
import { objectImages } from '#server/photos/object-storage/object-images.ts'
import type { HealthTimes } from '#server/photos/object-storage/storage-health.ts'
import type { Log } from '#server/ports/ports.ts'
import type { ObjectStorage } from './object-storage.ts'

type Options = {
  patience?: Patience
  healthTimes?: HealthTimes
  log?: Pick<Log, 'info' | 'warn'>
}

/** Milliseconds: as patient as the server, with a shorter pause before another try. */
export const shortPause: Patience = { ofOneTry: 7_000, inAll: 15_000, tries: 3, pause: 5 }
/** Milliseconds: for a storage that does not answer at all. */
export const shortPatience: Patience = { ofOneTry: 500, inAll: 1_500, tries: 3, pause: 5 }

/** Milliseconds: a storage that is well again is known to be soon. */
export const shortHealthTimes: HealthTimes = { sound: 200, problem: 50, request: 5_000 }

const noLog = { info: () => undefined, warn: () => undefined }

/** The server's store of photos over this storage, as a server process opens it. */
export const photosInBucket = (
  { settings }: Pick<ObjectStorage, 'settings'>,
  { patience, log = noLog, healthTimes }: Options = {},
) =>
  objectImages(objectStorageClient(settings, patience), {
    log,
    healthTimes,
    freeBytes: () => freeBytesOf(tmpdir()),
  })
