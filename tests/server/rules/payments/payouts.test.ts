import { describe, expect, test } from 'vitest'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { verifyLedger } from '#server/postgres/checks/verify-ledger.ts'
import { readDifferences } from '#server/rules/money/differences.ts'
import { reconcile } from '#server/rules/payments/reconcile.ts'
import { paidServerFixture } from '../../../helpers/payments/paid-server.ts'
import { standInKey } from '../../../helpers/payments/stand-in.ts'
import { present } from '../../../helpers/present.ts'
import { type Person, pushService } from '../../../helpers/server/server.ts'

const server = await paidServerFixture({ feePercent: 10 })
const { standIn, sweep, later, seen, rows, held, payable, repo } = server
const minutes = 60_000

const kindsOf = async (id: string) =>
  (await repo.read(({ ledger }) => ledger.of(id))).map(({ kind }) => kind).sort()
const transfersTo = (phone: string) =>
  [...standIn.transfers.values()].filter(({ account }) => account === phone)
const webhook = ({ body, signature }: { body: string; signature: string }) =>
  server.fetch(
    new Request('http://soma.test/api/payments/paystack/webhook', {
      method: 'POST',
      body,
      headers: { 'x-paystack-signature': signature, 'content-type': 'application/json' },
    }),
  )

async function approved(sender: Person, driver: Person, tip?: number): Promise<Delivery> {
  const made = await held(sender)
  await server.drive(made, driver, 'Delivered')
  const { token } = sender
  await server.ask('changeStatus', { token, id: made.ID, body: { status: 'Approved', tip } })
  return made
}

async function isConsistent() {
  const client = await server.pool().connect()
  try {
    expect((await verifyLedger(client)).faults).toEqual([])
  } finally {
    client.release()
  }
}

describe('what a provider pays out', () => {
  test('R178: an approved delivery pays its driver, without the fee', async () => {
    const [sender, driver] = [await server.sender(), await payable(await server.driver())]
    const made = await approved(sender, driver)
    expect((await seen(sender, made.ID)).payment?.status).toBe('released')
    await sweep()
    expect(await seen(driver, made.ID)).toMatchObject({ payout: { status: 'sent' } })
    const [transfer] = transfersTo(driver.phone)
    expect(transfer?.amount).toBe(5445)
    present(transfer).status = 'success'
    await later(10_000)
    expect(await seen(driver, made.ID)).toMatchObject({ payout: { status: 'paid' } })
    expect(await kindsOf(made.ID)).toEqual(['fee', 'hold', 'payout', 'release'])
    await isConsistent()
  })

  test('R178: without a payout number the money waits, and says so', async () => {
    const [sender, driver] = [await server.sender(), await server.driver()]
    const made = await approved(sender, driver)
    await sweep()
    const { payout } = await seen(driver, made.ID)
    expect(payout).toMatchObject({ status: 'waiting' })
    expect(payout?.message).toContain('payout number')
    await payable(driver)
    await later(10 * minutes)
    expect(transfersTo(driver.phone)).toHaveLength(1)
  })

  test('R145, R178: money waits once the payout number has a new owner, and says so', async () => {
    const [sender, driver] = [await server.sender(), await payable(await server.driver())]
    const made = await approved(sender, driver)
    await server.verify(await server.signUp('sender', { phone_number: driver.phone }))
    await later(60 * minutes)
    expect(transfersTo(driver.phone)).toEqual([])
    const { payout } = await seen(driver, made.ID)
    expect(payout).toMatchObject({ status: 'waiting' })
    expect(payout?.message).toContain('payout number')
  })

  test('R178: while an issue is open nothing is paid out', async () => {
    const [sender, driver] = [await server.sender(), await payable(await server.driver())]
    const made = await approved(sender, driver)
    const dispute = await server.report(sender, made.ID)
    await later(60 * minutes)
    expect(transfersTo(driver.phone)).toEqual([])
    const { token } = await server.admin()
    const body = { status: 'resolved', resolution: 'Fine', decision: 'none' } as const
    await server.ask('resolveDispute', { token, id: dispute.ID, body })
    await later(60 * minutes)
    expect(transfersTo(driver.phone)).toHaveLength(1)
  })

  test('R177: a transfer whose answer was lost is sent once', async () => {
    for (const fault of ['before', 'during', 'after'] as const) {
      const [sender, driver] = [await server.sender(), await payable(await server.driver())]
      await approved(sender, driver)
      standIn.behaviour.fault = (path) => (path === '/transfer' ? fault : undefined)
      await sweep()
      standIn.behaviour.fault = () => undefined
      await later(10_000)
      await later(30_000)
      expect(transfersTo(driver.phone)).toHaveLength(1)
    }
  })

  test('R178, R224: a transfer that is reversed is owed again and told to the office, and a retry has a reference of its own', async () => {
    const [sender, driver] = [await server.sender(), await payable(await server.driver())]
    const made = await approved(sender, driver)
    standIn.behaviour.transfer = () => 'success'
    await sweep()
    const [first] = transfersTo(driver.phone)
    expect(await seen(driver, made.ID)).toMatchObject({ payout: { status: 'paid' } })
    present(first).status = 'reversed'
    const { token } = await server.admin()
    const keys = { p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) }
    await server.ask('subscribe', { token, body: { endpoint: `${pushService}/a`, keys } })
    const event = standIn.event('transfer.reversed', { reference: present(first).reference })
    expect((await webhook(event)).status).toBe(200)
    await sweep()
    expect(await seen(driver, made.ID)).toMatchObject({ payout: { status: 'reversed' } })
    const sql = "select delivery_id as id from notifications where kind = 'office-money'"
    expect((await server.pool().query(sql)).rows).toEqual([{ id: made.ID }])
    expect(await kindsOf(made.ID)).toEqual(['fee', 'hold', 'payout', 'release', 'unpaid'])
    await isConsistent()

    const [payout] = (await rows(made.ID)).filter(({ kind }) => kind === 'payout')
    await repo.transaction(async ({ payments }) => {
      const stored = present(await payments.lock(present(payout).id))
      const dueAt = new Date(server.clock.now()).toISOString()
      await payments.save({ ...stored, status: 'waiting', dueAt })
    })
    await later(0)
    await later(0)
    standIn.behaviour.transfer = () => 'pending'
    expect(transfersTo(driver.phone).map(({ status }) => status)).toEqual(['reversed', 'success'])
    await isConsistent()
  })

  test('R179: a tip is charged after the approval, which stands without it', async () => {
    const [sender, driver] = [await server.sender(), await payable(await server.driver())]
    const made = await approved(sender, driver, 5)
    expect(await seen(sender, made.ID)).toMatchObject({ status: 'Approved' })
    expect((await seen(sender, made.ID)).tip).toBeUndefined()
    await sweep()
    standIn.decide(sender.phone, 'success')
    await later(10_000)
    expect((await seen(sender, made.ID)).tip).toBe(5)
    await sweep()
    expect(transfersTo(driver.phone).map(({ amount }) => amount)).toEqual([5445, 500])
    await isConsistent()
  })
})

describe('what a provider gives back', () => {
  test('R178: a cancelled delivery is refunded, once, even where the answer was lost', async () => {
    for (const fault of ['before', 'during', 'after'] as const) {
      const sender = await server.sender()
      const made = await held(sender)
      const before = standIn.refunds.length
      await server.changeStatus(sender, made.ID, 'Cancelled')
      standIn.behaviour.fault = (path) => (path === '/refund' ? fault : undefined)
      await sweep()
      standIn.behaviour.fault = () => undefined
      await later(10_000)
      expect(standIn.refunds.length - before).toBe(1)
      for (const each of standIn.refunds) each.status = 'processed'
      await later(30_000)
      await later(60_000)
      expect((await seen(sender, made.ID)).payment?.status).toBe('refunded')
    }
    await isConsistent()
  })

  test('R178: a return is divided: the driver’s part is paid out and the rest refunded', async () => {
    const [sender, driver] = [await server.sender(), await payable(await server.driver())]
    const made = await held(sender)
    await server.drive(made, driver, 'Picked Up')
    await server.bringBack(made.ID, driver)
    await server.ask('confirmReturn', { token: sender.token, id: made.ID, body: {} })
    expect((await seen(sender, made.ID)).payment?.status).toBe('released')
    await sweep()
    expect(standIn.refunds[0]?.amount).toBe(3025)
    expect(transfersTo(driver.phone)[0]?.amount).toBe(2723)
    for (const each of standIn.refunds) each.status = 'processed'
    await later(10_000)
    expect((await seen(sender, made.ID)).payment?.status).toBe('refunded')
    await isConsistent()
  })

  test('R178: a raised delivery is refunded charge by charge', async () => {
    const sender = await server.sender()
    const made = await held(sender)
    await server.said('raiseOffer', sender, made.ID, { offer: 70.5 })
    await sweep()
    standIn.decide(sender.phone, 'success')
    await later(10_000)
    await server.changeStatus(sender, made.ID, 'Cancelled')
    await sweep()
    expect(
      standIn.refunds
        .slice(0, 2)
        .map(({ amount }) => amount)
        .sort(),
    ).toEqual([1000, 6050])
    await isConsistent()
  })
})

describe('events of the provider', () => {
  test('R180: one with a wrong signature is 401 and moves nothing', async () => {
    const sender = await server.sender()
    const made = await server.delivery(sender)
    await sweep()
    standIn.decide(sender.phone, 'success')
    const [charge] = await rows(made.ID)
    const data = { reference: present(charge).id }
    const event = standIn.event('charge.success', data)
    for (const wrong of [
      standIn.event('charge.success', data, 'sk_test_another'),
      { ...event, signature: '' },
      { ...event, signature: 'zz' },
      { ...event, body: `${event.body} ` },
    ])
      expect((await webhook(wrong)).status).toBe(401)
    await sweep()
    expect((await seen(sender, made.ID)).payment?.status).toBe('waiting')
    // Twice, and in any order.
    for (let times = 0; times < 2; times++) expect((await webhook(event)).status).toBe(200)
    await sweep()
    expect((await seen(sender, made.ID)).payment?.status).toBe('held')
    expect((await webhook(event)).status).toBe(200)
    await sweep()
    expect(await kindsOf(made.ID)).toEqual(['hold'])
  })

  test('R180: one of an unknown payment, or without one, is 200 and nothing', async () => {
    for (const data of [{ reference: '0'.repeat(36) }, { reference: 'x' }, {}, null, 'x'])
      expect((await webhook(standIn.event('charge.success', data as object))).status).toBe(200)
    const body = 'no JSON'
    const { createHmac } = await import('node:crypto')
    const signature = createHmac('sha512', standInKey).update(body).digest('hex')
    expect((await webhook({ body, signature })).status).toBe(200)
  })

  test('R180: a charge that succeeds a day after it was given up is held', async () => {
    const sender = await server.sender()
    const made = await server.delivery(sender)
    await sweep()
    await later(25 * 60 * minutes)
    expect((await seen(sender, made.ID)).payment?.status).toBe('failed')
    standIn.decide(sender.phone, 'success')
    const [charge] = await rows(made.ID)
    await webhook(standIn.event('charge.success', { reference: present(charge).id }))
    await sweep()
    expect((await seen(sender, made.ID)).payment?.status).toBe('held')
  })
})

test('R180: the nightly comparison names every difference, and asks again', async () => {
  expect(await reconcile(server.ports)).toEqual([])
  const sender = await server.sender()
  const made = await server.delivery(sender)
  await sweep()
  standIn.decide(sender.phone, 'success')
  const stranger = {
    at: server.clock.now(),
    id: 9999,
    phone: '',
    provider: 'mtn',
    email: '',
    amount: 700,
  }
  standIn.transactions.set('stranger', { ...stranger, reference: 'stranger', status: 'success' })
  const texts = await reconcile(server.ports)
  const [charge] = await rows(made.ID)
  expect(texts).toEqual([
    `The charge ${present(charge).id} of ₵60.50 is paid at the provider and sent here.`,
    'The charge stranger of ₵7 is paid at the provider and unknown here.',
  ])
  expect(await repo.read(readDifferences)).toEqual(texts)
  await sweep()
  expect((await seen(sender, made.ID)).payment?.status).toBe('held')
  standIn.transactions.delete('stranger')
  expect(await reconcile(server.ports)).toEqual([])
})
