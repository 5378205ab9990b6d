import { tmpdir } from 'node:os'
import { freeBytesOf } from '#server/photos/image-folder.ts'
import { objectStorageClient, type Patience } from '#server/photos/object-storage/client.ts'
import { objectImages } from '#server/photos/object-storage/object-images.ts'
import type { Log } from '#server/ports/ports.ts'
import type { ObjectStorage } from './object-storage.ts'

/** Milliseconds: what is slow in a test takes tenths of a second. */
export const shortPatience: Patience = { ofOneTry: 300, inAll: 1_500, tries: 3 }

const noLog = { info: () => undefined, warn: () => undefined }

/** The server's store of photos over this storage, as a server process opens it. */
export const photosInBucket = (
  { settings }: Pick<ObjectStorage, 'settings'>,
  { patience, log = noLog }: { patience?: Patience; log?: Pick<Log, 'info' | 'warn'> } = {},
) =>
  objectImages(objectStorageClient(settings, patience), {
    log,
    freeBytes: () => freeBytesOf(tmpdir()),
  })
