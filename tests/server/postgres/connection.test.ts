import { expect, inject, test } from 'vitest'
import { openPostgres } from '#server/postgres/open-postgres.ts'
import { freshDatabase } from '../../helpers/database/postgres.ts'

test('Drizzle’s statements are named, so that PostgreSQL prepares each one once', async () => {
  const database = await freshDatabase(inject('postgresUrl'))
  const repo = openPostgres(database.url)
  const held = await repo.transaction(async ({ zones, settings }) => {
    for (let times = 0; times < 3; times++) {
      await zones.list()
      await settings.get('epoch')
    }
    return true
  })
  expect(held).toBe(true)
  const { rows } = await repo.pool.query<{ statement: string }>(
    'select statement from pg_prepared_statements order by statement',
  )
  const statements = rows.map(({ statement }) => statement)
  expect(statements.filter((text) => text.includes('from "zones"'))).toHaveLength(1)
  expect(statements.filter((text) => text.includes('from "settings"'))).toHaveLength(1)
  await repo.close()
  await database.drop()
})
