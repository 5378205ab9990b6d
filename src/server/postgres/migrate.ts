import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { migrationsFolder } from '../node/project-root.ts'
import { recordIncarnation } from './connection/incarnations.ts'
import { assertKnownLevel, recordLevel } from './migration-level.ts'

/** An advisory lock: processes that share a database migrate it one after another. The number is arbitrary. */
export const migrationLock = 7_662_001

/**
 * Brings the tables of this database up to date, then runs `afterwards` as their owner. Several processes
 * may run it at once. Throws `StartupError` when a newer version has migrated it.
 */
export async function migrate(
  url: string,
  afterwards: (owner: pg.Client) => Promise<void> = async () => undefined,
): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    // Before anything takes a transaction number of this life of the database.
    await recordIncarnation(client)
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await client.query('set client_min_messages = warning')
    await assertKnownLevel(client)
    await runMigrations(drizzle(client), { migrationsFolder })
    await recordLevel(client)
    await resetCursorsWhenRestored(client)
    await afterwards(client)
  } finally {
    await client.end()
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
