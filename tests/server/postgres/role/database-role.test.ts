import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openPostgres } from '#server/postgres/open-postgres.ts'
import { appRole, prepareDatabase } from '#server/postgres/role/role.ts'
import { ask, type FreshDatabase, freshDatabase } from '../../../helpers/database/postgres.ts'

/* What an injected statement could do: only read and write rows. */

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase(inject('postgresUrl'))
})
afterAll(() => database.drop())

/** The SQLSTATE of a statement, or `done`; it is rolled back. */
async function outcome(url: string, sql: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin')
    await client.query(sql)
    await client.query('set constraints all immediate')
    return 'done'
  } catch (error) {
    return error instanceof Error && 'code' in error ? `${error.code}` : `${error}`
  } finally {
    await client.end()
  }
}

const denied = '42501'
const brokenRule = '23514'

async function tablesOf(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    "select tablename::text as name from pg_tables where schemaname = 'public' order by 1",
  )
  await client.end()
  return rows.map(({ name }) => name)
}

const appendOnly = ['audit', 'entries', 'transfers']

test('R40, R57: the role may read and write rows of every table, and only insert into append-only ones', async () => {
  const client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
  for (const table of await tablesOf(database.ownerUrl)) {
    const rights = ['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']
    const { rows } = await client.query<{ name: string }>(
      'select name from unnest($1::text[]) name where has_table_privilege($2, $3, name)',
      [rights, appRole, table],
    )
    const expected = appendOnly.includes(table) ? rights.slice(0, 2) : rights.slice(0, 4)
    expect([table, ...rows.map(({ name }) => name)]).toEqual([table, ...expected])
  }
  await client.end()
})

test.each([
  'truncate deliveries cascade',
  'truncate entries',
  'drop table deliveries',
  'alter table deliveries add column x text',
  'alter table entries disable trigger all',
  'alter table entries disable trigger entries_final',
  'drop trigger entries_final on entries',
  'create table x (y text)',
  'create schema x',
  'create function x() returns int language sql as $$ select 1 $$',
  'create extension hstore',
  'create role x',
  'update entries set pesewas = 1',
  'delete from entries',
  "update transfers set kind = 'hold'",
  'delete from transfers',
  "update audit set actor = ''",
  'delete from audit',
  'select * from pg_authid',
  'select * from pg_shadow',
  'select * from drizzle.__drizzle_migrations',
  "select pg_read_file('postgresql.conf')",
  "copy users to program 'cat'",
  "copy users from program 'cat'",
  "copy users to '/tmp/soma-users'",
  'set role postgres',
  'set session authorization postgres',
  'set session_replication_role = replica',
  `alter role ${appRole} superuser`,
  `alter role ${appRole} createrole`,
  `grant postgres to ${appRole}`,
])('the role may not: %s', async (sql) => {
  expect(await outcome(database.url, sql)).toBe(denied)
})

const id = (n: number) => `01a1fd1f-8eb4-7638-a814-925f7f8d33${String(n).padStart(2, '0')}`
const person = (role: string, status: string) =>
  `insert into users (id, name, email, email_key, phone, role, verified, driver_status, password_hash, created_at)
   values ('${id(1)}', 'n', 'e', 'e', 'p', '${role}', false, ${status}, '', now())`
const delivery = (status: string) =>
  `insert into deliveries (id, status, item_description, pickup_zone, dropoff_zone, pesewas, recipient_name,
     recipient_phone, delivery_code, is_guest, sender_name, sender_phone, history, created_at, updated_at)
   values ('${id(2)}', '${status}', 'x', 'a', 'b', 100, 'r', 'p', '0', true, 's', 'p', '[]', now(), now())`
const transfer = (kind: string, lines: string) =>
  `${delivery('Pending')};
   insert into transfers values ('${id(3)}', '${id(2)}', '${kind}', now());
   insert into entries values ${lines}`
const line = (account: string, pesewas: number) => `('${id(3)}', '${account}', ${pesewas})`

/** Statements that PostgreSQL takes only outside a transaction. */
test.each(['create database x', "alter system set log_statement = 'all'"])(
  'the role may not, outside a transaction: %s',
  async (sql) => {
    await expect(ask(database.url, sql)).rejects.toMatchObject({ code: denied })
  },
)

test.each([
  [person('admin', 'null'), 'done'],
  [person('owner', 'null'), brokenRule],
  [person('driver', "'trusted'"), brokenRule],
  [person('sender', "'approved'"), brokenRule],
  [delivery('Pending'), 'done'],
  [delivery('Flying'), brokenRule],
  [transfer('hold', `${line('guest:1', -100)}, ${line('escrow:1', 100)}`), 'done'],
  [transfer('release', `${line('escrow:1', -100)}, ${line('driver:1', 100)}`), brokenRule],
  [transfer('gift', `${line('guest:1', -100)}, ${line('escrow:1', 100)}`), brokenRule],
  [transfer('hold', `${line('guest:1', -100)}, ${line('escrow:1', 99)}`), brokenRule],
  [transfer('hold', `${line('guest:1', 0)}, ${line('escrow:1', 0)}`), brokenRule],
  [transfer('hold', `${line('bank:1', -100)}, ${line('escrow:1', 100)}`), brokenRule],
])('the database refuses rows that break a rule: %#', async (sql, expected) => {
  expect(await outcome(database.url, sql)).toBe(expected)
})

test('the server’s pool connects as the role', async () => {
  const repo = openPostgres(database.url)
  const { rows } = await repo.pool.query('select current_user, session_user')
  expect(rows).toEqual([{ current_user: appRole, session_user: appRole }])
  await repo.close()
})

describe('with an operator’s database', () => {
  const newRole = () => `soma_test_${randomBytes(6).toString('hex')}`

  /** A login that owns a new database, with further `rights`. */
  async function operator(rights: string) {
    const owner = newRole()
    const fresh = await freshDatabase(inject('postgresUrl'))
    await fresh.drop()
    const name = new URL(fresh.ownerUrl).pathname.slice(1)
    await ask(inject('postgresUrl'), `create role ${owner} login password 'x' ${rights}`)
    await ask(inject('postgresUrl'), `create database ${name} owner ${owner}`)
    const url = new URL(fresh.ownerUrl)
    url.username = owner
    url.password = 'x'
    return {
      url: url.href,
      async drop(...roles: string[]) {
        await fresh.drop().catch(() => undefined)
        for (const role of [...roles, owner])
          await ask(inject('postgresUrl'), `drop role if exists ${role}`)
      },
    }
  }

  test('whose owner may create roles: connections switch to the role before their first statement, and not to one with more rights', async () => {
    const { url, drop } = await operator('createrole')
    const role = newRole()
    const prepared = await prepareDatabase(url, { role })
    expect(prepared.problem).toBeUndefined()
    const repo = openPostgres(prepared.url)
    const name = async () => (await repo.pool.query('select current_user as name')).rows[0].name
    expect(await name()).toBe(role)
    await repo.pool.query('reset role')
    expect(await name()).toBe(role)
    expect(await outcome(prepared.url, 'drop table deliveries')).toBe(denied)
    expect(await outcome(prepared.url, 'truncate entries')).toBe(denied)
    expect(await repo.transaction(({ settings }) => settings.keep('a', 'b'))).toBe('b')
    await repo.close()
    // A second start, and one of a later version with another table.
    expect((await prepareDatabase(url, { role })).problem).toBeUndefined()
    // A role with more rights is not used.
    const stronger = newRole()
    await ask(inject('postgresUrl'), `create role ${stronger} createdb`)
    await ask(inject('postgresUrl'), `grant ${stronger} to ${new URL(url).username}`)
    expect((await prepareDatabase(url, { role: stronger })).problem).toBeDefined()
    await drop(role, stronger)
  })

  test('whose owner may not create roles: the server runs as the owner and logs what to do', async () => {
    const { url, drop } = await operator('nocreaterole')
    const role = newRole()
    const prepared = await prepareDatabase(url, { role })
    expect(prepared.url).toBe(url)
    expect(prepared.problem).toContain(`create role ${role}; grant ${role} to`)
    const repo = openPostgres(prepared.url)
    expect(await repo.transaction(({ settings }) => settings.keep('a', 'b'))).toBe('b')
    await repo.close()
    // What the log line says to do.
    const owner = new URL(url).username
    await ask(inject('postgresUrl'), `create role ${role}`)
    await ask(inject('postgresUrl'), `grant ${role} to ${owner}`)
    const after = await prepareDatabase(url, { role })
    expect(after.problem).toBeUndefined()
    expect(await outcome(after.url, 'drop table deliveries')).toBe(denied)
    await drop(role)
  })

  test('many servers of many databases create one role at once', async () => {
    const databases = await Promise.all([1, 2].map(() => freshDatabase(inject('postgresUrl'))))
    const role = newRole()
    const starts = databases.flatMap(({ ownerUrl }) => [ownerUrl, ownerUrl])
    const prepared = await Promise.all(starts.map((url) => prepareDatabase(url, { role })))
    expect(prepared.map(({ problem }) => problem)).toEqual(starts.map(() => undefined))
    for (const { drop } of databases) await drop()
    await ask(inject('postgresUrl'), `drop role ${role}`)
  })
})
