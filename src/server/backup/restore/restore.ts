import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type pg from 'pg'
import { product } from '#domain/product.ts'
import type { ImageStore } from '../../ports/ports.ts'
import { recordIncarnation } from '../../postgres/connection/incarnations.ts'
import { withClient } from '../../postgres/connection/with-client.ts'
import { migrationLock } from '../../postgres/upgrade/migrate.ts'
import { recordLevel } from '../../postgres/upgrade/migration-level.ts'
import {
  applyMigrations,
  dropEverything,
  knownMigrations,
  type Migration,
} from '../../postgres/upgrade/migration-list.ts'
import { StartupError } from '../../startup-error.ts'
import { type Manifest, readManifest } from '../manifest.ts'
import { loadTables } from './load-tables.ts'
import { assertReplaceable, assertUnused } from './target.ts'
import { photosIn, verifyFiles } from './verify.ts'

type RestoreTarget = {
  /** The owner's address of the database. */
  url: string
  /** Missing when another service keeps the photos. */
  images?: Pick<ImageStore, 'put'>
}

type RestoreOptions = {
  /** Replaces what is in the database. Without it a database that holds data is refused. */
  replaces?: boolean
  signal?: AbortSignal
}

/** A backup that this version can restore, with every checksum verified. */
export type VerifiedBackup = { folder: string; manifest: Manifest }

/**
 * Reads a whole backup and compares it with its checksums; nothing is changed. Throws `StartupError` when it is
 * damaged, or of a newer version.
 */
export async function openBackup(folder: string, signal?: AbortSignal): Promise<VerifiedBackup> {
  const backup = { folder: resolve(folder), manifest: await readManifest(resolve(folder)) }
  migrationsOf(backup.manifest)
  await verifyFiles(backup.folder, backup.manifest, signal)
  return backup
}

/**
 * Puts the photos and the rows of a backup in place, brings them up to date, and gives the database a new
 * incarnation, so that no phone continues an older cursor (R93). The rows take effect in one transaction: what fails
 * before its end leaves the database as it was. Throws `StartupError` when a server runs on it.
 */
export async function restoreBackup(
  { folder, manifest }: VerifiedBackup,
  { url, images }: RestoreTarget,
  { replaces = false, signal }: RestoreOptions = {},
): Promise<void> {
  await withClient(url, 'soma restore', async (client) => {
    await client.query('set client_min_messages = warning')
    for (const name of ['statement_timeout', 'idle_in_transaction_session_timeout'])
      await client.query(`set ${name} = 0`)
    await assertUnused(client)
    await assertReplaceable(client, replaces)
    if (images)
      for await (const { name, isPrivate, path } of photosIn(folder, manifest)) {
        signal?.throwIfAborted()
        await images.put(name, await readFile(join(folder, path)), isPrivate)
      }
    await client.query('begin')
    // A server that starts now waits here for the restored tables.
    await client.query('select pg_advisory_xact_lock($1)', [migrationLock])
    // Waits for readers of the old tables, but not without limit.
    await client.query(`set local lock_timeout = '10s'`)
    await replaceTables(client, { folder, manifest }, signal)
    await client.query('commit')
    await client.query('analyze')
  })
}

async function replaceTables(
  client: pg.Client,
  { folder, manifest }: VerifiedBackup,
  signal: AbortSignal | undefined,
) {
  const { before, later } = migrationsOf(manifest)
  await dropEverything(client)
  await applyMigrations(client, before)
  await loadTables(client, folder, manifest.tables, signal)
  await applyMigrations(client, later)
  await recordLevel(client)
  await recordIncarnation(client)
}

/** The migrations that the backup's tables had, and those to run on them. Throws `StartupError` for a newer version's. */
function migrationsOf({ migrations, version }: Manifest): {
  before: Migration[]
  later: Migration[]
} {
  const known = knownMigrations()
  const had = new Set(migrations.map(({ id }) => id))
  const before = known.filter(({ id }) => had.has(id))
  if (before.length < had.size)
    throw new StartupError(
      `This backup was made by a newer version of ${product} (${version}). Restore it with that version.`,
    )
  return { before, later: known.filter(({ id }) => !had.has(id)) }
}
