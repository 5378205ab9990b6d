import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { verifyLedger } from '#server/postgres/checks/verify-ledger.ts'
import { openPostgres } from '#server/postgres/repo.ts'
import { prepareDatabase } from '#server/postgres/role.ts'
import { allRows, schemaOf } from '../../helpers/database/all-rows.ts'
import { fill } from '../../helpers/database/fill-database.ts'
import { ask } from '../../helpers/database/postgres.ts'
import { startSystemPostgres, systemPostgresBin } from '../../helpers/database/system-postgres.ts'
import {
  postgresDatabase,
  present,
  startTestServer,
  type TestServer,
} from '../../helpers/server/server.ts'
import { backupFixture, restored } from './backup-fixture.ts'

/* What a backup holds is what a restore gives, on both engines and between them. */

const made = backupFixture()

/** One delivery of every end, a dispute, a session, an answered request and an odd text. */
async function addHistory(server: TestServer) {
  const [ama, yaw] = [await server.sender(), await server.driver()]
  const odd = 'Tab\there, back\\slash, "quotes", Ɛsi ☂ and \\N'
  const approved = await server.delivery(ama, { itemDescription: odd })
  await server.drive(approved, yaw, 'Delivered')
  const end = (id: string, status: 'Approved' | 'Cancelled') =>
    server.ask('changeStatus', { token: ama.token, id, body: { status } })
  await end(approved.ID, 'Approved')
  await end((await server.delivery(ama)).ID, 'Cancelled')
  const { delivery } = await server.guestDelivery()
  await server.drive(delivery, yaw, 'Picked Up')
  return { ama, yaw }
}

const connection = (url: string) => new pg.Client({ connectionString: url })
async function ledgerFaults(url: string) {
  const client = connection(url)
  await client.connect()
  const { faults } = await verifyLedger(client)
  await client.end()
  return faults
}

/** Whether a list that is continued from this cursor is answered in full. */
async function isAnsweredInFull(url: string, cursor: string | undefined) {
  const repo = openPostgres(url)
  const list = (since?: string) =>
    repo.read(({ deliveries }) => deliveries.list({ of: 'everyone' }, { limit: 10 }, since))
  const answer = await list(cursor)
  // A cursor of the restored database is continued.
  expect((await list(answer.cursor)).removed).toEqual([])
  await repo.close()
  return answer.removed === undefined
}

async function cursorOf(server: TestServer) {
  const list = await server.repo.read(({ deliveries }) =>
    deliveries.list({ of: 'everyone' }, { limit: 10 }),
  )
  return list.cursor
}

test('R93: every row and object is restored into an empty database of an ordinary owner, and older cursors are answered in full', async () => {
  const source = await made.database()
  await fill({ connectionString: source.ownerUrl }, { users: 60, deliveries: 300 })
  const server = await startTestServer(postgresDatabase(source))
  await addHistory(server)
  const cursor = await cursorOf(server)
  const backup = await made.backup({ url: source.ownerUrl })
  const before = await allRows(source.ownerUrl)
  expect(backup.manifest.tables.map(({ name, rows }) => [name, rows])).toEqual(
    Object.entries(before).map(([name, rows]) => [name, rows.length]),
  )
  const url = await made.emptyDatabase()
  await restored(backup, { url })
  expect(await allRows(url)).toEqual(before)
  expect(await schemaOf(url)).toEqual(await schemaOf(source.ownerUrl))
  expect(await isAnsweredInFull(url, cursor)).toBe(true)

  // The next start finds nothing to do, and the server goes on as before.
  await prepareDatabase(url)
  expect(await allRows(url)).toEqual(before)
  await server.close()
}, 90_000)

test('R93: a database is put back to an earlier state in place, and no cursor of what was lost is continued', async () => {
  const source = await made.database()
  const server = await startTestServer(postgresDatabase(source))
  const { ama } = await addHistory(server)
  const backup = await made.backup({ url: source.ownerUrl })
  const before = await allRows(source.ownerUrl)
  const key = '0198f9a4-6d1c-7b6e-9f5e-111111111111'
  const lost = await server.delivery(ama, {}, key)
  const cursor = await cursorOf(server)
  await server.repo.close()
  await expect(restored(backup, { url: source.ownerUrl })).rejects.toThrow(
    /holds data already .*--replace/,
  )
  await restored(backup, { url: source.ownerUrl }, { replaces: true })
  expect(await allRows(source.ownerUrl)).toEqual(before)

  await prepareDatabase(source.ownerUrl, { password: new URL(source.ownerUrl).password })
  const again = await startTestServer(postgresDatabase(source))
  const path = '/sender/deliveries'
  const answer = await again.raw('GET', `${path}?since=${cursor}`, { token: ama.token })
  const { removed, deliveries } = await answer.json()
  expect(removed).toBeUndefined()
  expect(deliveries.map(({ ID }: { ID: string }) => ID)).not.toContain(lost.ID)
  expect(await isAnsweredInFull(source.url, cursor)).toBe(true)
  // The phone still has its entry and sends it again under the same key: the lost row comes back, once.
  for (let times = 0; times < 2; times++)
    expect((await again.delivery(ama, {}, key)).ID).toBe(lost.ID)
  await again.close()
  await server.close()
}, 90_000)

test('R41, R70: a backup that is made while the server is busy holds one moment: nothing half, and nothing that was acknowledged before', async () => {
  const source = await made.database()
  // The first table takes a while; meanwhile the others change.
  await ask(
    source.ownerUrl,
    `insert into activities select gen_random_uuid(), 'other', repeat(md5(random()::text), 50), now()
     from generate_series(1, 5000)`,
  )
  const server = await startTestServer(postgresDatabase(source))
  const yaw = await server.driver()
  const acknowledged: string[] = []
  let isOver = false
  const write = async () => {
    while (!isOver) {
      const { delivery, token, phone } = await server.guestDelivery()
      await server.drive(delivery, yaw, 'Delivered')
      const body = { status: 'Approved' as const, guestPhone: phone }
      await server.ask('changeGuestStatus', { token, id: delivery.ID, body })
      acknowledged.push(delivery.ID)
    }
  }
  const writing = write()
  // What it throws is thrown where it is awaited.
  writing.catch(() => undefined)
  await expect.poll(() => acknowledged.length).toBeGreaterThan(2)
  for (let turn = 0; turn < 2; turn++) {
    const had = acknowledged.length
    const backup = await made.backup({ url: source.ownerUrl })
    await expect.poll(() => acknowledged.length).toBeGreaterThan(had)
    const url = await made.emptyDatabase()
    await restored(backup, { url })
    expect(await ledgerFaults(url)).toEqual([])
    const client = connection(url)
    await client.connect()
    const idsOf = async (sql: string) =>
      (await client.query<{ id: string }>(sql)).rows.map(({ id }) => id)
    const approved = await idsOf("select id from deliveries where status = 'Approved' order by id")
    expect(approved).toEqual(acknowledged.slice(0, approved.length))
    expect(approved.length).toBeGreaterThanOrEqual(had)
    const created = await idsOf('select id from deliveries order by id')
    expect(created.length - approved.length).toBeLessThanOrEqual(1)
    // Each with the answer of its request and its guest's token, both of the same transaction.
    expect(await idsOf('select delivery_id as id from guest_tokens order by 1')).toEqual(created)
    const keys = `select count(*)::int as id from requests where status = 201`
    expect(Number((await idsOf(keys))[0])).toBeGreaterThanOrEqual(created.length)
    await client.end()
  }
  isOver = true
  await writing
  await server.close()
}, 90_000)

const bin = systemPostgresBin()
describe.skipIf(!bin)('with a PostgreSQL of this machine', () => {
  let other: Awaited<ReturnType<typeof startSystemPostgres>>
  beforeAll(async () => {
    other = await startSystemPostgres(present(bin))
  })
  afterAll(() => other.stop())

  test('a backup of the embedded PostgreSQL is restored there by an ordinary owner, and comes back', async () => {
    const source = await made.database()
    const server = await startTestServer(postgresDatabase(source))
    await addHistory(server)
    await server.close()
    const before = await allRows(source.ownerUrl)
    const url = await made.emptyDatabase(other.url)
    await restored(await made.backup({ url: source.ownerUrl }), { url })
    expect(await allRows(url)).toEqual(before)
    const back = await made.emptyDatabase()
    await restored(await made.backup({ url }), { url: back })
    expect(await allRows(back)).toEqual(before)
    expect(await schemaOf(back)).toEqual(await schemaOf(source.ownerUrl))
  }, 90_000)

  test('R93: where pg_dump fits there is a dump of the same rows, which this command and pg_restore by hand restore', async () => {
    const url = await made.emptyDatabase(other.url)
    const { url: appUrl } = await prepareDatabase(url)
    const database = { open: () => openPostgres(appUrl), drop: async () => undefined }
    const server = await startTestServer(database)
    await addHistory(server)
    const cursor = await cursorOf(server)
    await server.close()
    const backup = await made.backup({ url })
    expect(backup.manifest.files.map(({ path }) => path)).toContain('database.dump')
    const before = await allRows(url)

    const target = await made.emptyDatabase()
    await restored(backup, { url: target }, { fromDump: true })
    expect(await allRows(target)).toEqual(before)
    expect(await isAnsweredInFull(target, cursor)).toBe(true)

    const byHand = await made.emptyDatabase(other.url)
    const args = ['--no-owner', `--dbname=${byHand}`, join(backup.folder, 'database.dump')]
    await promisify(execFile)(join(present(bin), 'pg_restore'), args)
    expect(await allRows(byHand)).toEqual(before)
    await prepareDatabase(byHand)
    expect(await isAnsweredInFull(byHand, cursor)).toBe(true)
  }, 90_000)

  test('a backup without a dump is not restored from one', async () => {
    const backup = await made.backup({ url: (await made.database()).ownerUrl })
    const url = await made.emptyDatabase(inject('postgresUrl'))
    await expect(restored(backup, { url }, { fromDump: true })).rejects.toThrow(
      'This backup has no database.dump. Restore it without --from-dump.',
    )
  }, 90_000)
})
