import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Repo } from '#server/ports/repo.ts'
import { openPostgres } from '#server/postgres/open-postgres.ts'
import { prepareDatabase } from '#server/postgres/role/role.ts'
import { migrate } from '#server/postgres/upgrade/migrate.ts'
import { ask, freshDatabase } from '../../../helpers/database/postgres.ts'
import { postgresDatabase, present, startTestServer } from '../../../helpers/server/server.ts'

/* Migrations while other processes start, or work with the tables as they were. */

const released = join(import.meta.dirname, '../../../../src/server/postgres/migrations')
let newer: string
beforeAll(() => {
  newer = folderWith(`-- expands
    alter table deliveries add column remark text;
    alter table users add column points int not null default 0;
    create table notes (id text primary key);
    create index deliveries_remark on deliveries (remark);`)
})
afterAll(() => rmSync(newer, { recursive: true }))

/** A folder with the released migrations and one more. */
function folderWith(statements: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'soma-migrations-'))
  cpSync(released, folder, { recursive: true })
  const file = join(folder, 'meta/_journal.json')
  const journal = JSON.parse(readFileSync(file, 'utf8'))
  const last = present<{ idx: number; when: number }>(journal.entries.at(-1))
  const next = { ...last, idx: last.idx + 1, when: last.when + 1, tag: '9999_newer' }
  writeFileSync(file, JSON.stringify({ ...journal, entries: [...journal.entries, next] }))
  writeFileSync(join(folder, '9999_newer.sql'), statements)
  return folder
}

/** A connection of the owner for the length of the work. */
async function withOwner<T>(url: string, work: (owner: pg.Client) => Promise<T>): Promise<T> {
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  try {
    return await work(owner)
  } finally {
    await owner.end()
  }
}

test('of three processes that start at once over an empty database one applies each migration, and all can work', async () => {
  const { ownerUrl, drop } = await freshDatabase(inject('postgresUrl'))
  // The password of the shared role stays the one it has.
  const { password } = new URL(ownerUrl)
  await ask(
    ownerUrl,
    'drop schema public cascade; drop schema drizzle cascade; create schema public',
  )
  const started = await Promise.all([1, 2, 3].map(() => prepareDatabase(ownerUrl, { password })))
  await withOwner(ownerUrl, async (owner) => {
    const { rows } = await owner.query('select count(*)::int from drizzle.__drizzle_migrations')
    const files = readdirSync(released).filter((name) => name.endsWith('.sql'))
    expect(rows[0]?.count).toBe(files.length)
  })
  for (const { url } of started) {
    const repo = openPostgres(url)
    await repo.transaction(({ settings }) => settings.keep('started', 'once'))
    await repo.close()
  }
  await drop()
})

test('a server goes on over tables that a newer version has expanded, also one that starts afterwards', async () => {
  const database = await freshDatabase(inject('postgresUrl'))
  const server = await startTestServer(postgresDatabase(database))
  const driver = await server.driver()
  const sender = await server.sender()
  const admin = await server.admin()
  const deliverOne = async (other = server) => {
    const delivery = await other.delivery(sender)
    await other.drive(delivery, driver, 'Delivered')
    await other.ask('changeStatus', {
      token: sender.token,
      id: delivery.ID,
      body: { status: 'Approved' },
    })
    for (const op of ['adminDeliveries', 'adminUsers', 'adminStats', 'adminTrends'] as const)
      await other.ask(op, { token: admin.token })
    const { value } = await other.ask('getDelivery', { token: sender.token, id: delivery.ID })
    expect(present(value).delivery.status).toBe('Approved')
  }
  // PostgreSQL has prepared every statement before the tables change.
  await deliverOne()
  await migrate(database.ownerUrl, undefined, newer)
  await deliverOne()
  await migrate(database.ownerUrl)
  const late = await startTestServer(postgresDatabase(database))
  await deliverOne(late)
  await late.close()
  await server.close()
  await database.drop()
})

/** Runs the newer migration while a transaction of another holds this table; `meanwhile` runs when it waits for it. */
async function migrateBehind(
  table: 'deliveries' | 'users',
  meanwhile: (holder: pg.Client, repo: Repo) => Promise<void>,
) {
  const database = await freshDatabase(inject('postgresUrl'))
  const repo = openPostgres(database.url)
  await withOwner(database.ownerUrl, async (holder) => {
    await holder.query('begin')
    await holder.query(`select count(*) from ${table}`)
    let isMigrated = false
    const migration = migrate(database.ownerUrl, undefined, newer).then(() => {
      isMigrated = true
    })
    const waiting = `select count(*)::int from pg_locks where not granted and relation = '${table}'::regclass`
    await expect.poll(async () => (await holder.query(waiting)).rows[0]?.count).toBe(1)
    await meanwhile(holder, repo)
    expect(isMigrated).toBe(false)
    await holder.query('commit')
    await migration
  })
  await repo.close()
  await database.drop()
}

test('a migration that waits for a transaction of others, such as a backup, lets the statements behind it pass', () =>
  migrateBehind('deliveries', async (_, repo) => {
    const list = { of: 'everyone' } as const
    const found = repo.read(({ deliveries }) => deliveries.list(list, { limit: 1 }))
    expect((await found).rows).toEqual([])
  }))

test('a migration that a transaction of others deadlocks with gives way, and is tried again', () =>
  // The migration has changed the deliveries and waits for the users.
  migrateBehind('users', async (holder) => {
    expect((await holder.query('select count(*)::int from deliveries')).rows).toEqual([
      { count: 0 },
    ])
  }))
