import { access, constants, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { backupName, startDailyBackups } from '../../backup/daily-backups.ts'
import { openBackup, restoreBackup } from '../../backup/restore/restore.ts'
import { type BackupSource, writeBackup } from '../../backup/write/backup.ts'
import { startEmbeddedPostgres } from '../../embedded-postgres/embedded-postgres.ts'
import { imageFolder } from '../../photos/image-folder.ts'
import type { Ports } from '../../ports/ports.ts'
import { withClient } from '../../postgres/connection/with-client.ts'
import { StartupError } from '../../startup-error.ts'
import type { Config } from '../startup/config.ts'
import { openDataDir } from '../startup/data-dir.ts'
import { isKeyOfDatabase } from '../startup/secret-key.ts'
import type { OperatorCommand } from './command.ts'
import { withDatabase } from './database.ts'

/** `npm run backup [folder]`: beside the running server, or without it. */
export const backup: OperatorCommand = async (args, config, { print, signal }) => {
  const [folder = join(config.dataDir, 'backups', backupName(Date.now())), ...more] = args
  if (more.length > 0 || folder === '' || folder.startsWith('-'))
    throw new StartupError('Usage: npm run backup [folder]')
  const lines: string[] = []
  const made = await withSource(
    config,
    (source) => writeBackup(source, folder, { signal }),
    (line) => lines.push(line),
  )
  if (!made) throw new Error('Another process makes a backup')
  const { tables, photos, files } = made.manifest
  for (const line of [...lines, ...made.notes]) print(line)
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const bytes = files.reduce((sum, file) => sum + file.bytes, photos.bytes)
  const ofPhotos = photos.kept === 'here' ? `${photos.count} photos` : 'photos are kept elsewhere'
  print(`${made.folder}: ${rows} rows, ${ofPhotos}, ${Math.ceil(bytes / 1_000_000)} MB.`)
  print('The secret key is not in it: keep a copy of it in another place (src/OPERATIONS.md).')
  return true
}

/** `npm run restore -- <folder> [--replace]`: while no server runs. */
export const restore: OperatorCommand = async (args, config, { print, signal }) => {
  const options = args.filter((arg) => arg.startsWith('--'))
  const [folder = '', ...more] = args.filter((arg) => !arg.startsWith('--'))
  if (folder === '' || more.length > 0 || options.some((each) => each !== '--replace'))
    throw new StartupError('Usage: npm run restore -- <folder> [--replace]')
  const opened = await openBackup(folder, signal)
  const { at, version, photos } = opened.manifest
  const hasKey = await withRestoreTarget(config, async (url) => {
    const images = config.keepsImages ? imageFolder(imagesOf(config)) : undefined
    await restoreBackup(opened, { url, images }, { replaces: options.length > 0, signal })
    return isKeyThere(config, url)
  })
  print(`Restored: the backup of ${at}, made by version ${version}. Start the server.`)
  if (photos.kept === 'elsewhere') print('It holds no photos: they were kept elsewhere.')
  if (photos.kept === 'here' && !config.keepsImages)
    print('Its photos were not restored: another provider keeps the photos here.')
  if (photos.kept === 'here' && config.objectStorage)
    print('Its photos are on the disk: "npm run admin -- move-photos" copies them to the bucket.')
  if (!hasKey)
    print(
      `The server will need the secret key of that time: ${config.databaseUrl ? 'SECRET_KEY' : join(config.dataDir, 'secret.key')}.`,
    )
  return true
}

const imagesOf = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'images')

const keepsOnDisk = ({ keepsImages, objectStorage }: Config) => keepsImages && !objectStorage

/** What there is to back up: the database, and the photos where this server keeps them. */
const withSource = <T>(
  config: Config,
  work: (source: BackupSource) => Promise<T>,
  print?: (line: string) => void,
) =>
  withDatabase(
    config,
    (url) =>
      // Photos in a bucket stay there: its owner backs it up.
      work({ url, images: keepsOnDisk(config) ? imagesOf(config) : undefined }),
    print,
  )

/** The database to restore into. An embedded one is created if there is none, and no server may run on it. */
async function withRestoreTarget<T>(config: Config, work: (url: string) => Promise<T>): Promise<T> {
  const address = config.databaseUrlDirect ?? config.databaseUrl
  if (address) return work(address)
  await openDataDir(config.dataDir)
  const database = await startEmbeddedPostgres(config.dataDir)
  try {
    return await work(database.url)
  } finally {
    await database.stop()
  }
}

/** Whether the configured key is that of the restored database. */
async function isKeyThere({ secretKey, dataDir }: Config, url: string): Promise<boolean> {
  const file = () => readFile(join(dataDir, 'secret.key'), 'utf8').catch(() => '')
  const key = secretKey ?? (await file()).trim().toLowerCase()
  return withClient(url, 'soma restore', async (client) => {
    const { rows } = await client.query<{ name: string; value: string }>(
      'select name, value from settings',
    )
    return isKeyOfDatabase(key, new Map(rows.map(({ name, value }) => [name, value])))
  })
}

/** Starts the daily backups of a server with `BACKUP_DIR`. Returns the function that ends them. Throws `StartupError`. */
export async function startBackups(
  config: Config,
  { log, metrics }: Pick<Ports, 'log' | 'metrics'>,
): Promise<() => Promise<void>> {
  const folder = config.backupDir
  if (folder === undefined) return async () => undefined
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await access(folder, constants.W_OK)
  } catch (error) {
    throw new StartupError(
      `BACKUP_DIR ${folder} cannot be used: ${String(error)}. Its user must be able to write it; the systemd unit names it in ReadWritePaths.`,
    )
  }
  return startDailyBackups({
    folder,
    log,
    clock: Date.now,
    onNewest: metrics?.backups,
    withSource: (work) => withSource(config, work),
  })
}
