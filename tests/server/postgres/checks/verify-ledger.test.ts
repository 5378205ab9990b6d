import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, expect, inject, test } from 'vitest'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { verifyLedger as task } from '#server/node/operator/admin/ledger-task.ts'
import { verifyLedger } from '#server/postgres/checks/verify-ledger.ts'
import { freshDatabase } from '../../../helpers/database/postgres.ts'
import { postgresDatabase, present, startTestServer } from '../../../helpers/server/server.ts'

/* A ledger written by the real calls is right; each way to corrupt it behind the triggers' back is found. */

const database = await freshDatabase(inject('postgresUrl'))
const server = await startTestServer(postgresDatabase(database))
const owner = new pg.Client({ connectionString: database.ownerUrl })
await owner.connect()
const [ama, yaw] = [await server.sender(), await server.driver()]
const approved = await server.delivery(ama)
await server.drive(approved, yaw, 'Delivered')
await server.ask('changeStatus', {
  token: ama.token,
  id: approved.ID,
  body: { status: 'Approved', tip: 5 },
})
const cancelled = await server.delivery(ama)
await server.changeStatus(ama, cancelled.ID, 'Cancelled')
const split = await server.delivery(ama)
await server.drive(split, yaw, 'Picked Up')
const dispute = await server.report(ama, split.ID)
const { token } = await server.admin()
await server.ask('resolveDispute', {
  token,
  id: dispute.ID,
  body: { status: 'resolved', resolution: 'Half', decision: 'split', driverShare: 20.25 },
})
const { delivery: open } = await server.guestDelivery()
const made: Record<string, Delivery> = { approved, cancelled, split, open }
afterAll(async () => {
  await owner.end()
  await server.close()
  await database.drop()
})

/** Does `change` with triggers and foreign keys off, verifies, and takes it back. */
async function corrupted(change: string, ...values: unknown[]) {
  await owner.query('set session_replication_role = replica')
  await owner.query('create table if not exists kept_entries as select * from entries')
  await owner.query('create table if not exists kept_transfers as select * from transfers')
  await owner.query(
    'create table if not exists kept_deliveries as select id, status, driver_id from deliveries',
  )
  try {
    await owner.query(change, values)
    return await verifyLedger(owner)
  } finally {
    await owner.query('delete from entries')
    await owner.query('delete from transfers')
    await owner.query('insert into transfers select * from kept_transfers')
    await owner.query('insert into entries select * from kept_entries')
    await owner.query(
      'update deliveries d set status = k.status, driver_id = k.driver_id from kept_deliveries k where k.id = d.id',
    )
    await owner.query('set session_replication_role = origin')
  }
}

const id = (name: string) => present(made[name]).ID
const transferOf = (kind: string) =>
  `(select id from transfers where delivery_id = $1 and kind = '${kind}')`

test('R40, R41, R126: the ledger of every way a delivery ends is right, with its totals in pesewas', async () => {
  expect(await verifyLedger(owner)).toEqual({
    faults: [],
    totals: {
      deliveries: 4,
      transfers: 11,
      entries: 22,
      open: 1,
      inEscrow: 6050,
      released: 6050 + 500 + 2025,
      refunded: 6050 + 6050 - 2025,
    },
  })
  const context = { repo: server.repo, url: database.ownerUrl } as Parameters<typeof task.run>[0]
  expect(await task.run(context)).toEqual({
    lines: [
      '4 deliveries, 11 transfers, 22 entries',
      'set aside: GH₵ 60.50 for 1 deliveries that have not ended',
      'earned by drivers: GH₵ 85.75; refunded: GH₵ 100.75',
      'The ledger is right.',
    ],
    isWrong: false,
  })
})

test.each([
  [
    'an entry is changed',
    'approved',
    `update entries set pesewas = pesewas + 1 where pesewas > 0 and transfer_id = ${transferOf('release')}`,
  ],
  [
    'both entries of a release are smaller',
    'approved',
    `update entries set pesewas = pesewas / 2 where transfer_id = ${transferOf('release')}`,
  ],
  [
    'a release went to another driver',
    'approved',
    `update entries set account = 'driver:${randomUUID()}' where pesewas > 0 and transfer_id = ${transferOf('release')}`,
  ],
  [
    'a release is gone',
    'approved',
    `with gone as (delete from transfers where id = ${transferOf('release')} returning id) delete from entries using gone where transfer_id = gone.id`,
  ],
  [
    'a tip is smaller than what its sender gave',
    'approved',
    `update entries set pesewas = pesewas / 2 where transfer_id in (select id from transfers where delivery_id = $1 and kind like 'tip-%')`,
  ],
  [
    'a tip stays set aside',
    'approved',
    `with gone as (delete from transfers where id = ${transferOf('tip-release')} returning id) delete from entries using gone where transfer_id = gone.id`,
  ],
  [
    'an entry is gone',
    'cancelled',
    `delete from entries where pesewas < 0 and transfer_id = ${transferOf('refund')}`,
  ],
  [
    'a refund is gone',
    'split',
    `with gone as (delete from transfers where id = ${transferOf('refund')} returning id) delete from entries using gone where transfer_id = gone.id`,
  ],
  [
    'a transfer without entries is there',
    'open',
    `insert into transfers values (gen_random_uuid(), $1, 'release', now())`,
  ],
  [
    'the hold of another account',
    'open',
    `update entries set account = 'guest:${randomUUID()}' where pesewas < 0 and transfer_id = ${transferOf('hold')}`,
  ],
  [
    'the status says Approved and nothing was paid',
    'open',
    `update deliveries set status = 'Approved', driver_id = (select id from users where role = 'driver') where id = $1`,
  ],
  [
    'the status says Pending and money has left',
    'cancelled',
    `update deliveries set status = 'Pending' where id = $1`,
  ],
  [
    'the hold is gone',
    'open',
    `with gone as (delete from transfers where id = ${transferOf('hold')} returning id) delete from entries using gone where transfer_id = gone.id`,
  ],
])('R40, R41: it is found that %s, and the delivery is named', async (_, name, change) => {
  const { faults } = await corrupted(change, id(name))
  expect(faults.length).toBeGreaterThan(0)
  expect(JSON.stringify(faults)).toContain(id(name))
  expect((await verifyLedger(owner)).faults).toEqual([])
})

test('R40: an overdrawn account, entries without a transfer and a transfer without a delivery are named', async () => {
  const twice = `with again as (insert into transfers values (gen_random_uuid(), $1, 'refund', now()) returning id)
    insert into entries select again.id, e.account, e.pesewas from again, entries e
    where e.transfer_id = ${transferOf('release')}`
  const about = async (change: string, name: string) =>
    (await corrupted(change, id(name))).faults.map((fault) => fault.about)
  expect(await about(twice, 'approved')).toContain('accounts that are overdrawn')
  expect(await about(`delete from transfers where delivery_id = $1`, 'open')).toContain(
    'entries without a transfer',
  )
  const stray = `insert into transfers select gen_random_uuid(), gen_random_uuid(), 'hold', now() where $1::uuid is not null`
  expect(await about(stray, 'open')).toContain('transfers without a delivery')
})

test('no more than 20 rows of a fault are named, and all are counted', async () => {
  const many = `insert into transfers select gen_random_uuid(), gen_random_uuid(), 'hold', now() from generate_series(1, $1::int)`
  const { faults } = await corrupted(many, 50)
  expect(faults.map(({ count, examples }) => [count, examples.length])).toEqual([
    [50, 20],
    [50, 20],
  ])
})
