import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { migrationsFolder } from '../node/project-root.ts'

/** Any number will do that nobody else uses; processes that share a database wait for each other here. */
const lock = 7_662_001

/** Brings the tables at this address up to date, and then does what more their owner has to do. Safe from several processes at once. */
export async function migrate(
  url: string,
  afterwards: (owner: pg.Client) => Promise<void> = async () => undefined,
): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lock])
    await client.query('set client_min_messages = warning')
    await runMigrations(drizzle(client), { migrationsFolder })
    await resetCursorsWhenRestored(client)
    await afterwards(client)
  } finally {
    await client.end()
  }
}

/**
 * A database restored from a dump carries transaction ids of another's past: cursors over them would
 * lie. Then its rows are marked anew and its cursors are of another epoch.
 */
async function resetCursorsWhenRestored(client: pg.Client) {
  const { rows } = await client.query<{ restored: boolean }>(
    'select coalesce(max(changed) >= pg_snapshot_xmax(pg_current_snapshot()), false) as restored from deliveries',
  )
  if (!rows[0]?.restored) return
  await client.query('begin')
  await client.query('update deliveries set left_pending = null')
  await client.query("delete from settings where name = 'epoch'")
  await client.query('commit')
}
