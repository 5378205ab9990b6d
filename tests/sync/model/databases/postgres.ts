import pg from 'pg'
import { openPostgres } from '#server/postgres/repo.ts'
import { freshDatabase } from '../../../helpers/database/postgres.ts'
import type { Database } from '../scenario/seed-data.ts'

/** Real PostgreSQL: one database for all scenarios, emptied before each. */
export async function inPostgres(postgresUrl: string) {
  const { url, ownerUrl, drop } = await freshDatabase(postgresUrl)
  const broom = new pg.Client({ connectionString: ownerUrl })
  await broom.connect()
  // The ledger and the audit log cannot be emptied while their triggers are on.
  await broom.query('set session_replication_role = replica')
  const { rows } = await broom.query(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  )
  // Rows are few, and truncating a table costs as much as a scenario.
  const empty = rows.map(({ name }) => `delete from ${name};`).join('')
  return {
    open: async (): Promise<Database> => {
      await broom.query(empty)
      return { repo: await openPostgres(url) }
    },
    close: async () => {
      await broom.end()
      await drop()
    },
  }
}
