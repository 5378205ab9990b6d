import { Socket } from 'node:net'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { Refusal } from '#domain/errors.ts'
import { openPool } from '#server/postgres/connection/pool.ts'
import { transactionsOver } from '#server/postgres/connection/transaction.ts'
import type { Db } from '#server/postgres/db.ts'
import { ask, type FreshDatabase, freshDatabase } from '../../helpers/database/postgres.ts'

/* What a transaction promises although it does not wait for its writes. */

let database: FreshDatabase
let pool: pg.Pool
let inTransaction: <T>(work: (db: Db) => Promise<T>) => Promise<T>

beforeAll(async () => {
  database = await freshDatabase(inject('postgresUrl'))
  await ask(
    database.ownerUrl,
    `create table pairs (id int primary key, other int);
     insert into pairs values (1, 0), (2, 0), (3, 0);
     create table children (id int references pairs deferrable initially deferred);
     grant all on pairs, children to public`,
  )
  pool = openPool(database.ownerUrl)
  pool.options.max = 1
  inTransaction = transactionsOver(pool, (db) => db)
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const add = (db: Db, id: number, other: number | string = 0) =>
  db.write(db.execute(sql`insert into pairs values (${id}, ${other})`))

async function ids(): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>('select id from pairs order by id')
  return rows.map(({ id }) => id)
}

test('the writes and commit leave together, before the first of them is answered', async () => {
  await ids()
  const holder = new pg.Client({ connectionString: database.ownerUrl })
  await holder.connect()
  await holder.query('begin; insert into pairs values (4, 0)')
  const sent = vi.spyOn(Socket.prototype, 'write')
  const calls = (['_write', '_writev'] as const).map((name) => vi.spyOn(Socket.prototype, name))
  let isOver = false
  const work = inTransaction(async (db) => {
    // Waits for the holder, who may commit the same key.
    for (const id of [4, 5, 6]) await add(db, id)
  }).finally(() => {
    isOver = true
  })
  const texts = () => sent.mock.calls.map(([bytes]) => String(bytes)).join('')
  await expect.poll(texts).toMatch(/insert into pairs.*commit/s)
  expect(isOver).toBe(false)
  // One for begin, and one more where the writes were on their way before the work had ended.
  await expect.poll(() => calls.flatMap(({ mock }) => mock.calls).length).toBeGreaterThan(1)
  expect(calls.flatMap(({ mock }) => mock.calls).length).toBeLessThanOrEqual(3)
  for (const each of [sent, ...calls]) each.mockRestore()
  await holder.query('rollback')
  await work
  await holder.end()
  expect(await ids()).toEqual([1, 2, 3, 4, 5, 6])
})

const uniqueViolation = { cause: { code: '23505', constraint: 'pairs_pkey' } }

test('a write that fails takes all others with it, and its error is the one that is thrown', async () => {
  const before = await ids()
  for (const wrong of [0, 1, 2]) {
    const work = inTransaction(async (db) => {
      for (const at of [0, 1, 2]) await add(db, at === wrong ? 1 : 10 + at)
    })
    await expect(work).rejects.toMatchObject(uniqueViolation)
    expect(await ids()).toEqual(before)
  }
})

test('also when the work waits for a statement after it', async () => {
  const work = inTransaction(async (db) => {
    await add(db, 1)
    await db.execute(sql`select 1`)
  })
  await expect(work).rejects.toMatchObject(uniqueViolation)
})

test('of two statements sent at once the error of the first is thrown, whichever is heard of first', async () => {
  const slowly = async (statement: Promise<unknown>) => {
    try {
      await statement
    } catch (error) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      throw error
    }
  }
  const work = inTransaction((db) =>
    Promise.all([slowly(db.execute(sql`select 1 / 0`).then()), db.execute(sql`select 1`)]),
  )
  await expect(work).rejects.toMatchObject({ code: '22012' })
})

test('a write that fails before it is sent is not left out of the transaction', async () => {
  const before = await ids()
  const circular: { self?: unknown } = {}
  circular.self = circular
  const failures: ((db: Db) => Promise<void>)[] = [
    (db) => db.write(Promise.reject(new Error('not encoded'))),
    (db) => db.write(Promise.resolve().then(() => Promise.reject(new Error('not encoded')))),
    (db) => db.write(db.execute(sql`insert into pairs values (21, ${circular}::text::int)`)),
  ]
  for (const failure of failures) {
    const work = inTransaction(async (db) => {
      await add(db, 20)
      await failure(db)
    })
    await expect(work).rejects.toThrow()
    expect(await ids()).toEqual(before)
  }
})

test('a constraint that is checked at the commit refuses the transaction', async () => {
  const before = await ids()
  const work = inTransaction(async (db) => {
    await add(db, 30)
    await db.write(db.execute(sql`insert into children values (999)`))
  })
  await expect(work).rejects.toMatchObject({ code: '23503' })
  expect(await ids()).toEqual(before)
})

test('work that goes on after a failed statement is not taken for committed', async () => {
  const before = await ids()
  const work = inTransaction(async (db) => {
    await db.execute(sql`insert into pairs values (40, 0)`)
    await db.execute(sql`select 1 / 0`).catch(() => undefined)
    return 'done'
  })
  await expect(work).rejects.toThrow('division by zero')
  expect(await ids()).toEqual(before)
})

test('a refusal of the work is thrown as it is, and nothing is kept', async () => {
  const before = await ids()
  const refusal = new Refusal('taken')
  const work = inTransaction(async (db) => {
    await add(db, 50)
    throw refusal
  })
  await expect(work).rejects.toBe(refusal)
  expect(await ids()).toEqual(before)
})

test('the connection serves the next transaction after each of these', async () => {
  await inTransaction(async (db) => add(db, 60))
  expect(await ids()).toContain(60)
  expect(pool.totalCount).toBe(1)
})
