import pg from 'pg'
import { v7 } from 'uuid'
import { afterAll, expect, inject, test } from 'vitest'
import { verifyLedger } from '#server/postgres/checks/verify-ledger.ts'
import { reconcile } from '#server/rules/payments/reconcile.ts'
import { freshDatabase } from '../../../helpers/database/postgres.ts'
import { paidServerFixture } from '../../../helpers/payments/paid-server.ts'
import { postgresDatabase } from '../../../helpers/server/server.ts'

const { url, ownerUrl, drop } = await freshDatabase(inject('postgresUrl'))
const server = await paidServerFixture({}, postgresDatabase({ url, drop }))
afterAll(drop)
const { standIn, sweep, later, seen, held, payable } = server
const tables = ['deliveries', 'payments', 'transfers', 'entries', 'requests']

async function asOwner(work: (client: pg.Client) => Promise<void>) {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  await work(client)
  await client.end()
}

const backUp = () =>
  asOwner(async (client) => {
    await client.query('create schema yesterday')
    for (const table of tables)
      await client.query(`create table yesterday.${table} as table ${table}`)
  })

const restore = () =>
  asOwner(async (client) => {
    // As a restore does: no trigger runs.
    await client.query("set session_replication_role = 'replica'")
    for (const table of tables) {
      await client.query(`delete from ${table}`)
      const { rows } = await client.query(
        `select column_name from information_schema.columns where table_schema = 'public'
          and table_name = $1 and is_generated = 'NEVER' and is_identity = 'NO'`,
        [table],
      )
      const columns = rows.map(({ column_name: name }) => `"${name}"`).join(', ')
      await client.query(
        `insert into ${table} (${columns}) select ${columns} from yesterday.${table}`,
      )
    }
  })

test('R177: a database restored to yesterday asks by the same references, and pays nobody twice', async () => {
  const [approving, waiting, cancelling, creating] = [
    await server.sender(),
    await server.sender(),
    await server.sender(),
    await server.sender(),
  ]
  const driver = await payable(await server.driver())
  const toApprove = await held(approving)
  await server.drive(toApprove, driver, 'Delivered')
  const toHold = await server.delivery(waiting)
  const toCancel = await held(cancelling)
  await sweep()
  await backUp()

  const key = v7()
  const day = async () => {
    await server.changeStatus(approving, toApprove.ID, 'Approved')
    await server.changeStatus(cancelling, toCancel.ID, 'Cancelled')
    await server.delivery(creating, undefined, key)
    await sweep()
    standIn.behaviour.moved = (kind) => (kind === 'refund' ? 'processed' : 'success')
    for (const wait of [10_000, 30_000, 60_000, 120_000]) await later(wait)
  }
  await day()
  const made = [standIn.transactions.size, standIn.transfers.size, standIn.refunds.length]
  expect(made).toEqual([4, 1, 1])
  await restore()
  expect((await seen(approving, toApprove.ID)).status).toBe('Delivered')
  await day()
  expect([standIn.transactions.size, standIn.transfers.size, standIn.refunds.length]).toEqual(made)
  expect((await seen(approving, toApprove.ID)).status).toBe('Approved')
  expect((await seen(driver, toApprove.ID)).payout?.status).toBe('paid')
  expect((await seen(cancelling, toCancel.ID)).payment?.status).toBe('refunded')
  expect((await seen(waiting, toHold.ID)).payment?.status).toBe('held')
  expect((await seen(creating, key)).payment?.status).toBe('held')
  expect(await reconcile(server.ports)).toEqual([])
  const client = await server.pool().connect()
  expect((await verifyLedger(client)).faults).toEqual([])
  client.release()
})
