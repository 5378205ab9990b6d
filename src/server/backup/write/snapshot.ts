import type pg from 'pg'
import { product } from '#domain/product.ts'
import { withClient } from '../../postgres/connection/with-client.ts'
import {
  appliedMigrations,
  knownMigrations,
  type Migration,
  tablesOf,
} from '../../postgres/upgrade/migration-list.ts'
import { StartupError } from '../../startup-error.ts'

/** The database as it is at one moment. Whatever is written later is not in it. */
export type Snapshot = {
  /** A connection in the snapshot's transaction. */
  client: pg.Client
  at: string
  /** Of PostgreSQL, such as `18.1`. */
  postgres: string
  migrations: Pick<Migration, 'id' | 'hash'>[]
  /** Each table with the columns that a backup holds. */
  tables: { name: string; columns: string[] }[]
}

/** The name of a backup's connections. `restore` does not take them for a server. */
export const backupConnection = 'soma backup'

/**
 * An advisory lock: of the servers that share a database, one makes the daily backup. It belongs to the
 * transaction, so that it also holds behind a connection pooler. The number is arbitrary.
 */
const dailyLock = 7_662_003

/**
 * Does `work` in a snapshot of this database; the server goes on beside it. `ifFirst`: does nothing while another
 * process does the same, and returns `undefined`. Throws `StartupError` when the database has no tables, or
 * those of a newer version.
 */
export function inSnapshot<T>(
  url: string,
  work: (snapshot: Snapshot) => Promise<T>,
  { ifFirst = false } = {},
): Promise<T | undefined> {
  return withClient(url, backupConnection, async (client) => {
    await client.query('begin isolation level repeatable read read only')
    for (const name of ['statement_timeout', 'idle_in_transaction_session_timeout'])
      await client.query(`set local ${name} = 0`)
    if (ifFirst) {
      const { rows } = await client.query('select pg_try_advisory_xact_lock($1) as held', [
        dailyLock,
      ])
      if (!rows[0]?.held) return undefined
    }
    const result = await work(await takeStock(client))
    await client.query('commit')
    return result
  })
}

async function takeStock(client: pg.Client): Promise<Snapshot> {
  // The form of what COPY writes must not depend on the server's settings.
  for (const setting of [
    "client_encoding = 'UTF8'",
    "datestyle = 'ISO, YMD'",
    "timezone = 'UTC'",
    'extra_float_digits = 1',
    "bytea_output = 'hex'",
  ])
    await client.query(`set local ${setting}`)
  const migrations = await appliedMigrations(client)
  const known = knownMigrations()
  if (migrations.length === 0) throw new StartupError('The database has no tables to back up.')
  if (migrations.some(({ id }) => !known.some((each) => each.id === id)))
    throw new StartupError(
      `The database is of a newer version of ${product}. Make the backup with that version.`,
    )
  const { rows } = await client.query<Pick<Snapshot, 'postgres'> & { at: Date }>(
    `select now() as at, current_setting('server_version') as postgres`,
  )
  if (!rows[0]) throw new Error('The database returned no snapshot')
  const { at, postgres } = rows[0]
  return {
    client,
    at: at.toISOString(),
    postgres,
    migrations,
    tables: await describeTables(client, tablesOf(known)),
  }
}

/**
 * The product's tables and their columns. Generated columns are computed again. Transaction numbers (`xid8`) and
 * the list of incarnations mean nothing in another database: a restore gives new ones (R93).
 */
async function describeTables(client: pg.Client, own: string[]): Promise<Snapshot['tables']> {
  const { rows } = await client.query<Snapshot['tables'][number]>(
    `select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname = any($1) and c.relname <> 'incarnations'
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.atttypid <> 'xid8'::regtype
     group by c.relname order by c.relname`,
    [own],
  )
  return rows
}
