import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { StartupError } from '../../startup-error.ts'
import { checksumOf } from '../checksums.ts'
import { type Manifest, names } from '../manifest.ts'

/** A photo of a backup. `path` is relative to its folder. */
type BackedUpPhoto = { name: string; isPrivate: boolean; path: string; sha256: string }

/** Reads every file of a backup and compares it with its checksum. Throws `StartupError` at the first that differs. */
export async function verifyFiles(
  folder: string,
  manifest: Manifest,
  signal?: AbortSignal,
): Promise<void> {
  const damaged = (path: string, how: string) =>
    new StartupError(`The backup is damaged: ${path} ${how}.`)
  const check = async (path: string, expected: string) => {
    const found = await checksumOf(join(folder, path), signal).catch((error: unknown) => {
      signal?.throwIfAborted()
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
        throw damaged(path, 'is missing')
      throw damaged(path, 'cannot be read')
    })
    if (found.sha256 !== expected) throw damaged(path, 'is not as it was written')
  }
  const listed = new Set(manifest.files.map(({ path }) => path))
  for (const { file } of manifest.tables)
    if (!listed.has(file)) throw damaged(file, 'has no checksum')
  for (const { path, sha256 } of manifest.files) await check(path, sha256)
  let count = 0
  for await (const { path, sha256 } of photosIn(folder, manifest)) {
    await check(path, sha256)
    count++
  }
  if (count !== manifest.photos.count) throw damaged(names.photoSums, 'does not list every photo')
}

/** `<SHA-256>  photos/ab/<name>`, or `photos/private/ab/<name>`. */
const photoLine = /^([0-9a-f]{64}) {2}(photos\/(private\/)?[0-9a-f]{2}\/([0-9a-f]{64}\.\w+))$/

/** The photos of a backup, one after another. */
export async function* photosIn(
  folder: string,
  { photos }: Manifest,
): AsyncGenerator<BackedUpPhoto> {
  if (photos.kept !== 'here') return
  const input = createReadStream(join(folder, names.photoSums))
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    const [, sha256, path, isPrivate, name] = photoLine.exec(line) ?? []
    if (!sha256 || !path || !name)
      throw new StartupError(`The backup is damaged: ${names.photoSums} holds something else.`)
    yield { name, isPrivate: isPrivate !== undefined, path, sha256 }
  }
}
