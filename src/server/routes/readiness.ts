import { minFreeBytes } from '../photos/intake.ts'
import type { StorageProblem } from '../ports/photos/storage-problem.ts'
import type { Ports } from '../ports/ports.ts'
import { newestMigrationSetting } from '../ports/stores/settings-store.ts'
import type { DiskWatch } from './disk-watch.ts'

/** Milliseconds that the database has to answer a check. */
const patience = 3_000

/** Bytes free on the disk of the embedded database below which it may stop at any moment. */
const minDatabaseBytes = 50_000_000

/** The state of each part, in words; a part that is not asked about is missing. */
type Checks = {
  database: 'ready' | 'unreachable'
  /** `newer`: a process of a later version has migrated the database meanwhile; this one still serves. */
  migrations: 'ready' | 'newer' | 'older' | 'unknown'
  /** That of the database. */
  disk: 'ready' | 'full'
  /**
   * A full disk of photos, or a bucket that cannot be reached for a while, does not make the server unready:
   * everything but photos still works, and every other process would be unready too. A bucket that is missing
   * or refuses the key does, until the operator mends it.
   */
  uploads: 'ready' | 'disk low' | 'elsewhere' | StorageProblem['reason']
}

export type ServiceStatus = {
  status: 'ready' | 'not ready' | 'stopping'
  checks: Checks
  /** Why it is not ready, in words. */
  problem?: string
}

/** Log lines for when a check begins to fail. */
const lines = {
  database: 'Not ready: the database does not answer',
  migrations: 'Not ready: the tables of the database are older than this version needs',
  disk: 'Not ready: the disk of the database is full',
  photos: 'Not ready: the bucket of the photos is missing or refuses the key',
  stopping: 'Not ready: the server stops',
}

/**
 * Gives the function that checks whether this process can serve (`/readyz`), within three seconds. Concurrent
 * callers share one query. A change is logged as one line.
 */
export function readiness(
  { repo, images, options, log, databaseFreeBytes }: Ports,
  disk: DiskWatch,
  isStopping: () => boolean,
): () => Promise<ServiceStatus> {
  let reading: Promise<string | undefined> | undefined
  let failing: keyof typeof lines | undefined

  /** One query at a time: while the database does not respond, each would hold a connection. */
  function newestMigration() {
    reading ??= repo
      .read(({ settings }) => settings.get(newestMigrationSetting))
      .finally(() => {
        reading = undefined
      })
    return within(patience, reading)
  }

  async function databaseState(): Promise<Pick<Checks, 'database' | 'migrations'>> {
    try {
      const newest = await newestMigration()
      return { database: 'ready', migrations: migrationState(newest, options.migration) }
    } catch {
      return { database: 'unreachable', migrations: 'unknown' }
    }
  }

  async function diskState(): Promise<Checks['disk']> {
    // If free space is unknown, the database's own errors show whether the disk is full.
    const free = await databaseFreeBytes?.().catch(() => undefined)
    return disk.isFull() || (free ?? minDatabaseBytes) < minDatabaseBytes ? 'full' : 'ready'
  }

  async function uploadState(): Promise<{ uploads: Checks['uploads']; isMissing?: boolean }> {
    if (!images) return { uploads: 'elsewhere' }
    const problem = await images.problem?.()
    if (problem) return { uploads: problem.reason, isMissing: problem.isPermanent }
    const free = await images.freeBytes().catch(() => 0)
    return { uploads: free < minFreeBytes ? 'disk low' : 'ready' }
  }

  function failingCheck(
    { database, migrations, disk }: Checks,
    isBucketMissing = false,
  ): keyof typeof lines | undefined {
    if (isStopping()) return 'stopping'
    if (database !== 'ready') return 'database'
    if (migrations === 'older') return 'migrations'
    if (disk === 'full') return 'disk'
    return isBucketMissing ? 'photos' : undefined
  }

  return async () => {
    const [ofDatabase, ofDisk, { uploads, isMissing }] = await Promise.all([
      databaseState(),
      diskState(),
      uploadState(),
    ])
    const checks = { ...ofDatabase, disk: ofDisk, uploads }
    const found = failingCheck(checks, isMissing)
    const message = found && lines[found]
    if (message && found !== failing) log.warn({}, message)
    if (!found && failing) log.info({}, 'Ready again')
    failing = found
    const status = found === undefined ? 'ready' : found === 'stopping' ? 'stopping' : 'not ready'
    return { status, checks, problem: message?.replace('Not ready: ', '') }
  }
}

function migrationState(found: string | undefined, own: number | undefined): Checks['migrations'] {
  if (own === undefined) return 'ready'
  const newest = Number(found ?? 0)
  return newest === own ? 'ready' : newest > own ? 'newer' : 'older'
}

/** Rejects when the work takes longer than so many milliseconds. */
async function within<T>(time: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('It took too long')), time)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
