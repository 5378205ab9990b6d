import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { StartupError } from '../../startup-error.ts'
import type { StoredTable } from '../manifest.ts'

type Client = Pick<pg.ClientBase, 'query'>

/**
 * Loads the rows of empty tables as they are: no trigger changes or refuses one. Foreign keys and indexes are made
 * after the rows, which is several times faster. The owner of the tables may do all this.
 * Throws `StartupError` when the rows are not those the backup counted.
 */
export async function loadTables(
  client: Client,
  folder: string,
  tables: StoredTable[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const own = tables.map(({ name }) => name)
  for (const name of own) await client.query(`alter table ${quoted(name)} disable trigger user`)
  const make = await dropKeysAndIndexes(client, own)
  for (const table of tables) await loadRows(client, folder, table, signal)
  for (const statement of make) {
    signal?.throwIfAborted()
    await client.query(statement)
  }
  for (const name of own) await client.query(`alter table ${quoted(name)} enable trigger user`)
  await continueIdentities(client, own)
}

const quoted = (name: string) => `public.${pg.escapeIdentifier(name)}`

async function loadRows(
  client: Client,
  folder: string,
  table: StoredTable,
  signal: AbortSignal | undefined,
) {
  const list = table.columns.map((column) => pg.escapeIdentifier(column)).join(', ')
  const target = client.query(copyFrom(`copy ${quoted(table.name)} (${list}) from stdin`))
  await pipeline([createReadStream(join(folder, table.file)), createGunzip(), target], { signal })
  if (target.rowCount !== table.rows)
    throw new StartupError(
      `The table ${table.name} has ${target.rowCount} rows and the backup counted ${table.rows}.`,
    )
}

/** Drops foreign keys and the indexes of no constraint. Returns the statements that make them again. */
async function dropKeysAndIndexes(client: Client, own: string[]): Promise<string[]> {
  const { rows } = await client.query<{ drop: string; make: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make, 2 as turn
     from pg_constraint
     where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0
       and (select relname from pg_class where oid = conrelid) = any($1)
     union all
     select format('drop index %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid), 1
     from pg_index i join pg_class t on t.oid = i.indrelid
     where t.relnamespace = 'public'::regnamespace and t.relname = any($1)
       and not exists (select 1 from pg_constraint where conindid = i.indexrelid)
       and not exists (select 1 from pg_inherits where inhrelid = i.indexrelid)
     order by turn`,
    [own],
  )
  for (const { drop } of rows) await client.query(drop)
  return rows.map(({ make }) => make)
}

/** The next number of an identity column is one more than the largest that was restored. */
async function continueIdentities(client: Client, own: string[]) {
  const { rows } = await client.query<{ table: string; column: string }>(
    `select c.relname::text as table, a.attname::text as column
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and c.relname = any($1) and a.attidentity <> ''`,
    [own],
  )
  for (const { table, column } of rows) {
    const name = pg.escapeIdentifier(column)
    await client.query(
      `select setval(pg_get_serial_sequence($1, $2), coalesce(max(${name}), 1), max(${name}) is not null)
       from ${quoted(table)}`,
      [quoted(table), column],
    )
  }
}
