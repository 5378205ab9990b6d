import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { migrationsFolder } from '../../project-root.ts'
import { recordIncarnation } from '../connection/incarnations.ts'
import { isLockRefused } from '../connection/pg-errors.ts'
import { assertKnownLevel, recordLevel } from './migration-level.ts'

/** An advisory lock: processes that share a database migrate it one after another. The number is arbitrary. */
export const migrationLock = 7_662_001

/** Milliseconds that a migration waits for a table; the statements of running servers wait behind it. */
const lockTimeout = 2_000
/** How often it tries, and milliseconds between two tries, in which those statements pass. */
const tries = { most: 30, pause: 1_000 }

/**
 * Brings the tables of this database up to date, then runs `afterwards` as their owner. Several processes
 * may run it at once, also while servers of the version before work: see "Change the tables while servers
 * run" in src/CONTRIBUTING.md. The address must not lead through a pooler. Throws `StartupError` when a newer version
 * has migrated it.
 */
export async function migrate(
  url: string,
  afterwards: (owner: pg.Client) => Promise<void> = async () => undefined,
  folder = migrationsFolder,
): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    // Before anything takes a transaction number of this life of the database.
    await recordIncarnation(client)
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await client.query('set client_min_messages = warning')
    await assertKnownLevel(client, folder)
    await client.query(`set lock_timeout = ${lockTimeout}`)
    await whenNotLocked(() => runMigrations(drizzle(client), { migrationsFolder: folder }))
    await client.query('reset lock_timeout')
    await recordLevel(client, folder)
    await resetCursorsWhenRestored(client)
    await afterwards(client)
  } finally {
    await client.end()
  }
}

/** Runs the migrations, in one transaction, again while a transaction of others holds one of the tables. */
async function whenNotLocked(work: () => Promise<void>) {
  for (let count = 1; ; count++) {
    try {
      await work()
      return
    } catch (error) {
      if (!isLockRefused(error) || count >= tries.most) throw error
      await new Promise((later) => setTimeout(later, tries.pause))
    }
  }
}

/**
 * A database restored from a dump has transaction IDs of another one, with which cursors would be wrong
 * (R73). Its rows are marked again, and its incarnations are forgotten, so that older cursors are ignored.
 */
async function resetCursorsWhenRestored(client: pg.Client) {
  const { rows } = await client.query<{ restored: boolean }>(
    'select coalesce(max(changed) >= pg_snapshot_xmax(pg_current_snapshot()), false) as restored from deliveries',
  )
  if (!rows[0]?.restored) return
  await client.query('begin')
  await client.query('update deliveries set left_pending = null')
  await client.query('delete from incarnations')
  await recordIncarnation(client)
  await client.query('commit')
}
