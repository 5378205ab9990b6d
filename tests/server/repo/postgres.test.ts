import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { fold } from '#domain/fold.ts'
import type { User } from '#domain/users/user.ts'
import { searchHandlers } from '#server/handlers/office/search.ts'
import type { Stores } from '#server/ports/repo.ts'
import { openPostgres, type PostgresRepo } from '#server/postgres/open-postgres.ts'
import { migrate } from '#server/postgres/upgrade/migrate.ts'
import { emptiedDatabase } from '../../helpers/database/emptied-database.ts'
import { ask, type FreshDatabase, freshDatabase } from '../../helpers/database/postgres.ts'
import { present } from '../../helpers/present.ts'
import { repoContract } from './contract/contract.ts'

repoContract('PostgreSQL', async () => {
  const database = await emptiedDatabase(inject('postgresUrl'))
  const repo = openPostgres(database.url)
  return {
    repo,
    async close() {
      await repo.close()
      await database.drop()
    },
  }
})

let database: FreshDatabase
let repo: PostgresRepo
beforeAll(async () => {
  database = await freshDatabase(inject('postgresUrl'))
  repo = openPostgres(database.url)
})
afterAll(async () => {
  await repo.close()
  await database.drop()
})

test('R40, R57: the ledger and the audit log are append-only, for their owner too', async () => {
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  await owner.query(
    `insert into deliveries (id, status, item_description, pickup_zone, dropoff_zone, pesewas, recipient_name,
      recipient_phone, delivery_code, is_guest, sender_name, sender_phone, history, created_at, updated_at)
     values ('01a1fd1f-8eb4-7638-a814-925f7f8d339d', 'Pending', 'x', 'a', 'b', 1, 'r', 'p', '00000', true, 's', 'p',
      '[]', now(), now())`,
  )
  await owner.query(
    `with t as (insert into transfers values ('01a1fd1f-8eb4-7638-a814-925f7f8d339e',
      '01a1fd1f-8eb4-7638-a814-925f7f8d339d', 'hold', now()) returning id)
     insert into entries select id, a, p from t, (values ('escrow:x', 1), ('guest:y', -1)) as e(a, p)`,
  )
  await owner.query(
    `insert into audit values ('01a1fd1f-8eb4-7638-a814-925f7f8d339f', now(), 'a', 'b', 'c', 'd')`,
  )
  for (const sql of [
    'update entries set pesewas = pesewas * 2',
    'delete from entries',
    "update transfers set kind = 'refund'",
    'delete from transfers',
    "update audit set actor = 'nobody'",
    'delete from audit',
    'truncate entries',
    'truncate transfers cascade',
    'truncate audit',
  ])
    await expect(owner.query(sql), sql).rejects.toThrow('append-only')
  await owner.end()
})

test('several processes may migrate one database at once', async () => {
  await Promise.all([1, 2, 3, 4].map(() => migrate(database.ownerUrl)))
})

test('R73: a database restored from a copy responds to old cursors with the full list', async () => {
  const list = (since?: string) =>
    repo.read(({ deliveries }) => deliveries.list({ of: 'everyone' }, { limit: 10 }, since))
  const { cursor } = await list()
  expect((await list(cursor)).removed).toBeDefined()
  // A copy carries the transaction ids of the database it was taken from, far ahead of its own.
  for (const sql of [
    'alter table deliveries disable trigger deliveries_mark_changed',
    "update deliveries set changed = '99999999999'::xid8, left_pending = '99999999999'::xid8",
    'alter table deliveries enable trigger deliveries_mark_changed',
  ])
    await ask(database.ownerUrl, sql)
  await migrate(database.ownerUrl)
  const restored = openPostgres(database.url)
  const answer = await restored.read(({ deliveries }) =>
    deliveries.list({ of: 'everyone' }, { limit: 10 }, cursor),
  )
  expect(answer.removed).toBeUndefined()
  const next = await restored.read(({ deliveries }) =>
    deliveries.list({ of: 'everyone' }, { limit: 10 }, answer.cursor),
  )
  expect(next.removed).toEqual([])
  // A mark of another database's past would refer to a future transaction.
  const marked = await repo.pool.query('select 1 from deliveries where left_pending is not null')
  expect(marked.rowCount).toBe(0)
  await restored.close()
})

test('what a server takes at once is at most the limit, also where the plan repeats its subqueries', async () => {
  const own = await freshDatabase(inject('postgresUrl'))
  const name = new URL(own.ownerUrl).pathname.slice(1)
  for (const way of ['hashjoin', 'mergejoin', 'hashagg', 'sort', 'material'])
    await ask(own.ownerUrl, `alter database "${name}" set enable_${way} = off`)
  await ask(
    own.ownerUrl,
    `set session_replication_role = replica;
     insert into photos (name, is_private, is_used, bytes, uploader, at)
       select n || '.jpg', false, false, 1, 'x', '2026-01-01' from generate_series(1, 5) n;
     insert into notifications (id, kind, audience, at, due_at)
       select gen_random_uuid(), 'accepted', 'guest', '2026-01-01', '2026-01-01' from generate_series(1, 5);
     insert into payments (id, kind, delivery_id, pesewas, status, due_at, created_at, updated_at)
       select gen_random_uuid(), 'charge', gen_random_uuid(), 1, 'waiting', '2026-01-01', '2026-01-01', '2026-01-01'
       from generate_series(1, 5)`,
  )
  const limited = openPostgres(own.url)
  const [at, until] = ['2026-01-02T00:00:00.000Z', '2026-01-03T00:00:00.000Z']
  const takes: ((stores: Stores) => Promise<unknown[]>)[] = [
    ({ photos }) => photos.claimUnused(at, at, 2),
    ({ notifications }) => present(notifications).take(at, 2, until),
    ({ payments }) => payments.takeDue(at, 2, until),
  ]
  for (const take of takes) {
    const taken = []
    for (let round = 0; round < 4; round++) taken.push((await limited.transaction(take)).length)
    expect(taken).toEqual([2, 2, 1, 0])
  }
  await limited.close()
  await own.drop()
})

/** PostgreSQL's plan when sequential scans are off. */
async function plan(sql: string, values: unknown[] = []): Promise<string> {
  const client = await repo.pool.connect()
  try {
    await client.query('set enable_seqscan = off')
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${sql}`, values)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  } finally {
    await client.query('reset enable_seqscan')
    client.release()
  }
}

test('a search of drivers uses the indexes of users and of applications', async () => {
  const asked = vi.spyOn(repo.pool, 'query')
  await repo.read(({ applications }) => applications.list({ limit: 10, search: 'GHA-1' }))
  const sent = asked.mock.calls.map(([query, values]: unknown[]) => ({ query, values }))
  asked.mockRestore()
  const [list] = sent as { query: { text: string }; values: unknown[] }[]
  const path = await plan(list?.query.text ?? '', list?.values)
  expect(path).toContain('users_search')
  expect(path).toContain('applications_search')
})

test('R186: nothing that the search over everything asks for reads a whole table', async () => {
  const { adminSearch } = searchHandlers()
  const actor = { user: { role: 'admin' } as User }
  // A word, parts of a number and of an ID, a whole number, an e-mail address, a reference.
  for (const q of ['mensah', '412 34', 'GHA-1', '0244123456', 'ama@mail', 'SOMA-7F3K']) {
    const asked = vi.spyOn(repo.pool, 'query')
    const work = await adminSearch({ query: { q } } as never)
    await repo.read((stores) => work(stores, actor))
    const sent = asked.mock.calls.map(([query, values]: unknown[]) => ({ query, values }))
    asked.mockRestore()
    expect(sent.length).toBeGreaterThan(3)
    for (const { query, values } of sent as { query: { text: string }; values: unknown[] }[]) {
      const path = await plan(query.text, values)
      expect(path, `${q}: ${query.text}`).not.toMatch(
        /Seq Scan on (users|applications|deliveries|delivery_search)\b/,
      )
    }
  }
})

test('R74: PostgreSQL folds as the domain does', async () => {
  const signs = Array.from({ length: 0x2100 - 0x20 }, (_, n) => String.fromCodePoint(0x20 + n))
  const { rows } = await repo.pool.query<{ sign: string; folded: string }>(
    'select sign, fold(sign) as folded from unnest($1::text[]) sign',
    [signs],
  )
  expect(rows.filter(({ sign, folded }) => folded !== fold(sign))).toEqual([])
})

test('lists are read through an index, not by a scan of the table', async () => {
  const id = "'01a1fd1f-8eb4-7638-a814-925f7f8d339d'"
  const newest = 'order by created_at desc, id desc limit 20'
  expect(await plan(`select * from deliveries where sender_id = ${id} ${newest}`)).toContain(
    'deliveries_sender',
  )
  expect(await plan(`select * from deliveries where status = 'Pending' ${newest}`)).toContain(
    'deliveries_status',
  )
  expect(await plan(`select * from deliveries ${newest}`)).toContain('deliveries_by_date')
  const byOffer =
    'select * from deliveries d join delivery_search s using (id) order by s.pesewas, d.id'
  expect(await plan(`${byOffer} limit 20`)).toContain('delivery_search_by_offer')
  expect(await plan("select * from deliveries where changed >= '5'::xid8")).toContain(
    'deliveries_changed',
  )
})
