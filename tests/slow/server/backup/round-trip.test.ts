import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyLedger } from '#server/postgres/checks/verify-ledger.ts'
import { allRows, schemaOf } from '../../../helpers/database/all-rows.ts'
import { ask } from '../../../helpers/database/postgres.ts'
import {
  startSystemPostgres,
  systemPostgresBin,
} from '../../../helpers/database/system-postgres.ts'
import { postgresDatabase, present, startTestServer } from '../../../helpers/server/server.ts'
import { addHistory, backupFixture, restored } from '../../../server/backup/backup-fixture.ts'

/* Backups of a busy server, and between the engines. */

const made = backupFixture()

const connection = (url: string) => new pg.Client({ connectionString: url })
async function ledgerFaults(url: string) {
  const client = connection(url)
  await client.connect()
  const { faults } = await verifyLedger(client)
  await client.end()
  return faults
}

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
})

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
  })
})
