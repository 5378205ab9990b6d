import { tmpdir } from 'node:os'
import { freeBytesOf } from '#server/photos/image-folder.ts'
import { objectStorageClient, type Patience } from '#server/photos/object-storage/client.ts'
import { objectImages } from '#server/photos/object-storage/object-images.ts'
import type { HealthTimes } from '#server/photos/object-storage/storage-health.ts'
import { StorageUnavailable } from '#server/ports/photos/storage-problem.ts'
import type { ObjectStorage } from './object-storage.ts'

type Options = Parameters<typeof objectStorageClient>[1]

/** Milliseconds: for a storage that does not answer at all. */
export const shortPatience: Patience = { ofOneTry: 500, inAll: 1_500, ofProbe: 500 }

/** Milliseconds: a storage that is well again is known to be soon. */
export const shortHealthTimes: HealthTimes = { sound: 200, problem: 50 }

/** The server's store of photos over this storage, as a server process opens it. */
export const photosInBucket = ({ settings }: Pick<ObjectStorage, 'settings'>, options?: Options) =>
  objectImages(objectStorageClient(settings, options), () => freeBytesOf(tmpdir()))

/** Why the storage was unavailable to this work; nothing if it was there. */
export const problemOf = (work: Promise<unknown>): Promise<StorageUnavailable | undefined> =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof StorageUnavailable ? error : Promise.reject(error)),
  )
