import { createWriteStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { checksumStream } from '../checksums.ts'
import type { StoredFile } from '../manifest.ts'

/** Readable by their owner alone: a backup holds personal data. */
export const ownerOnly = { folder: 0o700, file: 0o600 }

/** Writes what comes out of the stream to a new file below the folder; it is on the disk when this resolves. */
export async function storeFile(
  folder: string,
  path: string,
  source: Readable,
  { through = [], signal }: { through?: Transform[]; signal?: AbortSignal } = {},
): Promise<StoredFile> {
  const file = join(folder, path)
  await mkdir(dirname(file), { recursive: true, mode: ownerOnly.folder })
  const { stream, result } = checksumStream()
  const target = createWriteStream(file, { mode: ownerOnly.file, flags: 'wx', flush: true })
  await pipeline([source, ...through, stream, target], { signal })
  return { path, ...result() }
}

/** A new name in a folder survives a power failure only when the folder is synced. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
