import pg from 'pg'
import { type FreshDatabase, freshDatabase } from './postgres.ts'

/** Databases of servers that were closed. To empty one costs a tenth of what a copy of the template does. */
const unused: FreshDatabase[] = []

/** An empty database for servers, which may only change rows; dropped, it is emptied for the next. */
export async function emptiedDatabase(
  postgresUrl: string,
): Promise<Pick<FreshDatabase, 'url' | 'drop'>> {
  for (let found = unused.pop(); found; found = unused.pop()) {
    if (await empty(found.ownerUrl)) return kept(found)
    await found.drop()
  }
  return kept(await freshDatabase(postgresUrl))
}

const kept = (database: FreshDatabase) => ({
  url: database.url,
  drop: async () => void unused.push(database),
})

/** False where somebody is still connected, who could write later. */
async function empty(ownerUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    const { rows } = await client.query(
      `select from pg_stat_activity
       where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )
    if (rows.length === 0) await client.query(emptyTables)
    return rows.length === 0
  } finally {
    await client.end()
  }
}

/**
 * All that a template holds are the settings about its migrations. Without triggers: some tables are append-only. Few
 * rows are deleted, because truncating makes new files.
 */
const emptyTables = `
  do $$
  declare
    each regclass;
  begin
    set local session_replication_role = replica;
    delete from settings where name not like '%migration%';
    for each in
      select c.oid from pg_class c
      where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'settings'
    loop
      if pg_total_relation_size(each) > 1000000 then
        execute format('truncate %s cascade', each);
      else
        execute format('delete from %s', each);
      end if;
    end loop;
    perform setval(c.oid, 1, false) from pg_class c
    where relkind = 'S' and relnamespace = 'public'::regnamespace;
  end $$`
