import type pg from 'pg'
import { product } from '#domain/product.ts'
import {
  appliedMigrations,
  knownMigrations,
  tablesOf,
} from '../../postgres/upgrade/migration-list.ts'
import { StartupError } from '../../startup-error.ts'

type Client = Pick<pg.ClientBase, 'query'>

/**
 * Throws `StartupError` while a server is connected to this database: the names of its connections begin with
 * `soma`. Connections of other commands do not count, nor does `soma hold`: it is this command's own lock on
 * the embedded database.
 */
export async function assertUnused(client: Client): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name like 'soma%'
       and application_name not in ('soma hold', 'soma backup', 'soma admin')`,
  )
  if (rows[0]?.count)
    throw new StartupError('A server runs on this database. Stop every process of it first.')
}

/** Tables that a server fills by itself, or that are not restored. */
const unimportant = ['settings', 'incarnations', 'attempts', 'counters']

/** Throws `StartupError` when the database holds data that may not be replaced, or those of a newer version. */
export async function assertReplaceable(client: Client, replaces: boolean): Promise<void> {
  const known = knownMigrations()
  const applied = await appliedMigrations(client)
  if (applied.some(({ id }) => !known.some((each) => each.id === id)))
    throw new StartupError(`The database is of a newer version of ${product}. Restore with that.`)
  if (replaces) return
  for (const table of tablesOf(known)) {
    if (unimportant.includes(table) || !(await hasRows(client, table))) continue
    throw new StartupError(
      `The database holds data already (${table}). Add --replace to replace all of it.`,
    )
  }
}

async function hasRows(client: Client, table: string): Promise<boolean> {
  const there = await client.query('select to_regclass($1) is not null as there', [
    `public.${table}`,
  ])
  if (!there.rows[0]?.there) return false
  const { rows } = await client.query(`select exists (select 1 from public."${table}") as found`)
  return rows[0]?.found
}
