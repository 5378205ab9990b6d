import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { openPostgres } from '#server/postgres/open-postgres.ts'
import { prepareDatabase } from '#server/postgres/role/role.ts'
import { freshDatabase } from '../../helpers/database/postgres.ts'
import { add, randomRestores, reader } from './restores.ts'

randomRestores({ indexedDb: 4, postgres: 1 })

test('R93: a server that starts beside another one changes no cursor', async () => {
  const database = await freshDatabase(inject('postgresUrl'))
  const one = openPostgres(database.url)
  const pull = reader({ of: 'everyone' })
  await add(one)
  await pull(one)
  await prepareDatabase(database.ownerUrl, { password: new URL(database.ownerUrl).password })
  const two = openPostgres(database.url)
  await add(two)
  expect(await pull(two)).toEqual({ isFull: false })
  await add(one)
  expect(await pull(one)).toEqual({ isFull: false })
  await two.close()
  await one.close()
  await database.drop()
})

test('R93: rows that were restored from a dump into the same database have cursors of nobody', async () => {
  const database = await freshDatabase(inject('postgresUrl'))
  const repo = openPostgres(database.url)
  const pull = reader({ of: 'everyone' })
  await add(repo)
  await pull(repo)
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  // What `pg_restore --clean` does to this table: the same lines, written by another transaction.
  await owner.query('create temp table dumped as select * from incarnations')
  await owner.query('delete from incarnations')
  await owner.query('insert into incarnations select * from dumped')
  await owner.end()
  expect(await pull(repo)).toEqual({ isFull: true })
  await repo.close()
  await database.drop()
})

test('R93: incarnations are forgotten when no cursor of theirs lives, and the newest never', async () => {
  const database = await freshDatabase(inject('postgresUrl'))
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  await owner.query('delete from incarnations')
  for (const [id, days] of [
    ['older', 30],
    ['old', 20],
    ['ended an hour ago', 10],
    ['before', 0],
  ])
    await owner.query(
      `insert into incarnations (id, first, database, started, at)
       values ($1, '3', 0, now(), now() - $2::int * interval '1 day')`,
      [id, days],
    )
  const repo = openPostgres(database.url)
  await repo.ping()
  const { rows } = await owner.query('select id from incarnations order by written')
  expect(rows.map(({ id }) => id)).toEqual(['ended an hour ago', 'before', expect.any(String)])
  await owner.end()
  await repo.close()
  await database.drop()
})
