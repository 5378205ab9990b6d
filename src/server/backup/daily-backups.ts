import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../ports/ports.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { type BackupSource, removeBackup, writeBackup } from './write/backup.ts'

/** Daily backups that are kept. */
export const keptBackups = 14

const minute = 60_000
/** Milliseconds between two checks for today's backup; a failed one is retried then. */
const interval = 20 * minute

export type DailyBackups = {
  /** The folder of all backups. Servers that share a database share it, or only one of them has one. */
  folder: string
  /** Gives the database for the time of one backup. */
  withSource: (work: (source: BackupSource) => Promise<void>) => Promise<void>
  log: Log
  clock: () => number
  /** Called after each check, failed or not, with the time of the newest backup in milliseconds, 0 for none. */
  onNewest?: (at: number) => void
}

/**
 * Writes a backup a day (of UTC) and keeps the newest 14: now if today's is missing, and then every day. Failures are
 * logged. Returns the function that ends it, and a backup that is under way.
 */
export function startDailyBackups(settings: DailyBackups): () => Promise<void> {
  const ending = new AbortController()
  let pass = runDailyBackup(settings, ending.signal)
  const timer = setInterval(() => {
    // A backup may take longer than the interval.
    pass = pass.then(() => runDailyBackup(settings, ending.signal))
  }, interval)
  timer.unref()
  return async () => {
    clearInterval(timer)
    ending.abort()
    await pass
  }
}

/** Writes today's backup unless it is there, then deletes those beyond the newest 14. Failures are logged. */
export async function runDailyBackup(settings: DailyBackups, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return
  await writeToday(settings, signal)
  const [newest] = await dailyBackups(settings.folder)
  settings.onNewest?.(newest ? Date.parse(newest.at) : 0)
}

async function writeToday(
  { folder, withSource, log, clock }: DailyBackups,
  signal?: AbortSignal,
): Promise<void> {
  const began = clock()
  const today = new Date(began).toISOString().slice(0, 10)
  const isDue = async () => !(await dailyBackups(folder)).some(({ at }) => at.startsWith(today))
  try {
    if (!(await isDue())) return
    const earlier = (await dailyBackups(folder))[0]?.folder
    await withSource(async (source) => {
      const name = join(folder, backupName(began))
      const made = await writeBackup(source, name, { signal, daily: { isDue }, earlier })
      if (!made) return
      const { tables, photos } = made.manifest
      const rows = tables.reduce((sum, each) => sum + each.rows, 0)
      const ms = clock() - began
      log.info({ rows, photos: photos.count, ms }, 'The daily backup is written')
      if (photos.missing > 0)
        log.warn({ photos: photos.missing }, 'Photos that the database names are not there')
    })
    // Only after a new one was written, so that backups which fail for weeks delete nothing.
    for (const old of (await dailyBackups(folder)).slice(keptBackups))
      await removeBackup(old.folder)
  } catch (error) {
    if (signal?.aborted) return
    log.error({ err: error }, 'The daily backup failed; the next try is in 20 minutes')
  }
}

/** The name of a backup of this moment, which sorts by time. */
export const backupName = (at: number): string =>
  new Date(at).toISOString().slice(0, 19).replaceAll(':', '-').concat('Z')

type DailyBackup = Pick<Manifest, 'at'> & { folder: string }

/** The complete daily backups in this folder, newest first. Other files and folders are ignored. */
async function dailyBackups(folder: string): Promise<DailyBackup[]> {
  const found: DailyBackup[] = []
  for (const name of await readdir(folder).catch(() => [])) {
    if (name.startsWith('.')) continue
    const manifest = await readManifest(join(folder, name)).catch(() => undefined)
    if (manifest?.isDaily) found.push({ at: manifest.at, folder: join(folder, name) })
  }
  return found.sort((one, other) => (one.at < other.at ? 1 : -1))
}
