import pg from 'pg'
import { afterAll, beforeAll, inject } from 'vitest'
import { openPostgres } from '#server/postgres/open-postgres.ts'
import { freshDatabase } from '../../../helpers/database/postgres.ts'
import { present } from '../../../helpers/present.ts'
import type { Database } from '../scenario/seed-data.ts'

/** One real PostgreSQL database for all scenarios of a file, emptied before each. Call it at the top of the file. */
export function postgresOfFile(): () => Promise<Database> {
  let database: Awaited<ReturnType<typeof inPostgres>> | undefined
  beforeAll(async () => {
    database = await inPostgres(inject('postgresUrl'))
  })
  afterAll(() => database?.close())
  return () => present(database).open()
}

async function inPostgres(postgresUrl: string) {
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
