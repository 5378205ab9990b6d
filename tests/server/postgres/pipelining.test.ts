import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { Refusal } from '#domain/errors.ts'
import { joinWrites } from '#server/postgres/connection/pipelining.ts'
import { transactionsOver } from '#server/postgres/connection/transaction.ts'
import type { Db } from '#server/postgres/db.ts'
import { ask, type FreshDatabase, freshDatabase } from '../../helpers/database/postgres.ts'

/* What a transaction promises although it does not wait for its writes. */

let database: FreshDatabase
let pool: pg.Pool
let inTransaction: <T>(work: (db: Db) => Promise<T>) => Promise<T>
/** How often the newest connection wrote to its socket. */
let socketWrites = 0

beforeAll(async () => {
  database = await freshDatabase(inject('postgresUrl'))
  await ask(
    database.ownerUrl,
    `create table pairs (id int primary key, other int);
     create table children (id int references pairs deferrable initially deferred);
     grant all on pairs, children to public`,
  )
  pool = new pg.Pool({ connectionString: database.ownerUrl, max: 1, pipeline: true })
  pool.on('connect', (client) => {
    joinWrites(client)
    const { stream } = (client as unknown as { connection: { stream: Record<string, unknown> } })
      .connection
    for (const name of ['_write', '_writev']) {
      const write = stream[name] as (...args: unknown[]) => unknown
      stream[name] = (...args: unknown[]) => {
        socketWrites++
        return write.apply(stream, args)
      }
    }
  })
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

test('the writes and commit go out in one write to the socket', async () => {
  await ids()
  const before = socketWrites
  await inTransaction(async (db) => {
    for (const id of [1, 2, 3]) await add(db, id)
  })
  // One for begin, and one more where the writes were on their way before the work had ended.
  expect(socketWrites - before).toBeLessThanOrEqual(3)
  expect(await ids()).toEqual([1, 2, 3])
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
