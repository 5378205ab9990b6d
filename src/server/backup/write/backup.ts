import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { product } from '#domain/product.ts'
import { withClient } from '../../postgres/connection/with-client.ts'
import { productVersion } from '../../project-root.ts'
import { StartupError } from '../../startup-error.ts'
import { formatVersion, type Manifest, writeManifest } from '../manifest.ts'
import { ownerOnly, syncFolder } from './files.ts'
import { storePhotos } from './photos.ts'
import { backupConnection, inSnapshot, type Snapshot } from './snapshot.ts'
import { storeTables } from './tables.ts'

export type BackupSource = {
  /** The owner's address of the database. */
  url: string
  /** `DATA_DIR/images`; missing when another service keeps the photos. */
  images?: string
}

export type BackupOptions = {
  signal?: AbortSignal
  /** For a running server: skipped while another server writes one, or when `isDue` is false. */
  daily?: { isDue: () => Promise<boolean> }
  /** An earlier backup whose photos may be linked. */
  earlier?: string
}

/** `notes`: what the operator should know of it, one line each. */
export type Backup = { folder: string; manifest: Manifest; notes: string[] }

/**
 * Writes a backup of the database and the photos into a new folder, while the server runs. Memory does not grow
 * with it. The folder gets its name when it is complete and on the disk; nothing is left of a backup that fails.
 * Returns `undefined` when a daily one is not due. Throws `StartupError`.
 */
export async function writeBackup(
  source: BackupSource,
  folder: string,
  options: BackupOptions = {},
): Promise<Backup | undefined> {
  const target = resolve(folder)
  const unfinished = join(dirname(target), unfinishedName(basename(target)))
  try {
    await assertFree(target)
    const written = await inSnapshot(
      source.url,
      async (snapshot) => {
        if (options.daily && !(await options.daily.isDue())) return undefined
        await mkdir(dirname(target), { recursive: true, mode: ownerOnly.folder })
        await removeUnfinished(dirname(target))
        await mkdir(unfinished, { mode: ownerOnly.folder })
        return fill(snapshot, source, unfinished, options)
      },
      { ifFirst: options.daily !== undefined },
    )
    if (!written) return undefined
    await syncAll(unfinished)
    await rename(unfinished, target)
    await syncFolder(dirname(target))
    return { folder: target, ...written }
  } catch (error) {
    // It is not there when its parent is no folder.
    await rm(unfinished, { recursive: true, force: true }).catch(() => undefined)
    throw explained(error, folder, options.signal)
  }
}

/** The name of a backup that is being written, or of one that is being deleted. */
const unfinishedName = (name: string) => `.${name}.${randomBytes(4).toString('hex')}.unfinished`
const isUnfinishedName = (name: string) => /^\..+\.[0-9a-f]{8}\.unfinished$/.test(name)

/** Milliseconds. A younger one may be under way in another process. */
const unfinishedAge = 24 * 60 * 60_000

/** Deletes what killed processes left. */
async function removeUnfinished(folder: string) {
  for (const name of await readdir(folder)) {
    if (!isUnfinishedName(name)) continue
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found && found.mtimeMs < Date.now() - unfinishedAge)
      await rm(path, { recursive: true, force: true })
  }
}

/** Deletes a backup. A deletion that is cut short leaves nothing that looks like one. */
export async function removeBackup(folder: string): Promise<void> {
  const aside = join(dirname(folder), unfinishedName(basename(folder)))
  await rename(folder, aside)
  await rm(aside, { recursive: true, force: true })
}

async function assertFree(target: string) {
  const names = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (names.length > 0) throw new StartupError(`${target} is not empty. Name a new folder.`)
}

/** Writes everything that belongs to the snapshot, the manifest last. */
async function fill(
  snapshot: Snapshot,
  { url, images }: BackupSource,
  folder: string,
  { signal, daily, earlier }: BackupOptions,
): Promise<Omit<Backup, 'folder'>> {
  const notes: string[] = []
  const { tables, files } = await storeTables(snapshot, folder, signal)
  const photos = images
    ? await storePhotos(snapshot, { images, folder, earlier }, signal)
    : undefined
  const missing = photos ? await countMissing(url, photos.missing) : 0
  if (missing > 0) notes.push(`Photos that the database names and that are not there: ${missing}.`)
  const manifest: Manifest = {
    product,
    format: formatVersion,
    version: productVersion(),
    at: snapshot.at,
    isDaily: daily !== undefined,
    database: { postgres: snapshot.postgres, incarnation: null },
    migrations: snapshot.migrations,
    tables,
    photos: {
      kept: photos ? 'here' : 'elsewhere',
      count: photos?.count ?? 0,
      bytes: photos?.bytes ?? 0,
      missing,
    },
    files: photos ? [...files, photos.file] : files,
  }
  await writeManifest(folder, manifest)
  return { manifest, notes }
}

/** Of these photos, how many the database still names: the others were deleted since the snapshot. */
async function countMissing(url: string, missing: string[]): Promise<number> {
  if (missing.length === 0) return 0
  return withClient(url, backupConnection, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      'select count(*)::int as count from photos where name = any($1)',
      [missing],
    )
    return rows[0]?.count ?? 0
  })
}

/** Syncs every folder: the files in them are on the disk already. */
async function syncAll(folder: string) {
  const all = await readdir(folder, { withFileTypes: true, recursive: true })
  for (const each of all) if (each.isDirectory()) await syncFolder(join(each.parentPath, each.name))
  await syncFolder(folder)
}

/** Codes of a disk, a quota or a file size that is used up. */
const full = ['ENOSPC', 'EDQUOT', 'EFBIG']
const unwritable = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT']

/** An error that the operator can act on becomes one line; any other is returned unchanged. */
function explained(error: unknown, folder: string, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return new StartupError('The backup was ended; nothing of it was kept.')
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (full.includes(code))
    return new StartupError(`The disk of ${folder} is full; nothing of this backup was kept.`, {
      cause: error,
    })
  if (unwritable.includes(code))
    return new StartupError(`A backup cannot be written to ${folder} (${code}).`, { cause: error })
  return error
}
