import { expect, test } from 'vitest'
import { messageOf } from '#server/notifications/messages.ts'
import { verifyLedger } from '#server/postgres/checks/verify-ledger.ts'
import { paidServerFixture } from '../../../helpers/payments/paid-server.ts'
import { present } from '../../../helpers/present.ts'
import type { Person } from '../../../helpers/server/server.ts'

/* An admin refunds an approved delivery while its payout waits (R228): the offer is 60.50, the fee a tenth. */

const server = await paidServerFixture({ feePercent: 10 })
const { standIn, sweep, later, seen, rows, held, payable } = server
const minutes = 60_000
const admin = await server.admin()

async function approved(sender: Person, driver: Person, tip?: number): Promise<string> {
  const made = await held(sender)
  await server.drive(made, driver, 'Delivered')
  const { token } = sender
  await server.ask('changeStatus', { token, id: made.ID, body: { status: 'Approved', tip } })
  return made.ID
}

const refund = (id: string, body: object = {}, by: { token: string } = admin) =>
  server.said('refundDelivery', by, id, { reason: 'It never arrived', ...body })

/** The amounts that the provider gave back for a delivery, in pesewas, once all of them have arrived. */
async function arrived(id: string): Promise<number[]> {
  standIn.behaviour.refund = () => 'processed'
  await later(0)
  await later(10_000)
  const all = (await rows(id)).filter(({ kind }) => kind === 'refund')
  expect(all.map(({ status }) => status)).toEqual(all.map(() => 'paid'))
  const ids = all.map((row) => row.id)
  return standIn.refunds
    .filter(({ merchant_note }) => ids.includes(merchant_note))
    .map(({ amount }) => amount)
}

/** Who is told of what with the app closed, the sender first (R115). */
async function told(id: string) {
  const sql = 'select kind, user_id, at from notifications where delivery_id = $1'
  const { rows } = await server.pool().query(sql, [id])
  const delivery = present(await server.repo.read(({ deliveries }) => deliveries.get(id)))
  const lines = rows.map(({ kind, user_id, at }) => {
    const to = user_id === delivery.driver?.id ? ('driver' as const) : ('sender' as const)
    return [to, user_id, kind, messageOf({ kind, to, delivery, at: at.toISOString() }).title]
  })
  return lines
    .sort()
    .reverse()
    .map(([, ...line]) => line)
}

async function isConsistent() {
  const client = await server.pool().connect()
  try {
    expect((await verifyLedger(client)).faults).toEqual([])
  } finally {
    client.release()
  }
}

test('R228, R115: all of the driver’s part goes back, both are told, and nothing is paid out', async () => {
  const [sender, driver] = [await server.sender(), await payable(await server.driver())]
  const id = await approved(sender, driver)
  await server.pool().query('delete from notifications')
  expect(await refund(id)).toBe(200)
  expect(await told(id)).toEqual([
    [sender.user.ID, 'dispute', 'You get ₵60.50 back'],
    [driver.user.ID, 'dispute', expect.stringMatching(/ gets ₵60\.50 back$/)],
  ])
  expect(await arrived(id)).toEqual([6050])
  expect(await seen(sender, id)).toMatchObject({
    status: 'Approved',
    driverShare: 0,
    payment: { status: 'refunded' },
  })
  const { payout, history = [] } = await seen(driver, id)
  expect(payout).toBeUndefined()
  expect(history.at(-1)).toMatchObject({
    by: 'office',
    reason: 'It never arrived',
    corrected: ['driverShare'],
  })
  expect((await rows(id)).filter(({ kind }) => kind === 'payout')).toEqual([])
  const day = new Date(server.clock.now()).toISOString().slice(0, 10)
  const query = { from: day, to: day }
  const { value } = await server.ask('driverEarnings', { token: driver.token, query })
  const { earnings } = present(value)
  expect(earnings.net).toBe(0)
  expect(await refund(id)).toBe('409 wrong-status')
  await isConsistent()
})

test('R228: amounts go back one after another, as long as something is left, and the rest is paid out without its fee', async () => {
  const [sender, driver] = [await server.sender(), await server.driver()]
  const id = await approved(sender, driver, 5)
  await sweep()
  for (const amount of [0, -1, 60.51, 1.001, 1e9])
    expect(await refund(id, { amount })).toBe('400 invalid')
  expect(await refund(id, { amount: 20 })).toBe(200)
  expect(await refund(id, { amount: 10.5 })).toBe(200)
  expect(await refund(id, { amount: 30.01 })).toBe('400 invalid')
  expect((await arrived(id)).sort()).toEqual([1050, 2000])
  expect(await seen(driver, id)).toMatchObject({ driverShare: 30, payout: { status: 'waiting' } })
  standIn.behaviour.transfer = () => 'success'
  await payable(driver)
  await later(20 * minutes)
  const sent = [...standIn.transfers.values()].filter(({ account }) => account === driver.phone)
  expect(sent.map(({ amount }) => amount)).toContain(2700)
  expect(await refund(id)).toBe('409 wrong-status')
  await isConsistent()
})

test('R228: nothing goes back of what is being sent, or may have been', async () => {
  const [sender, driver] = [await server.sender(), await payable(await server.driver())]
  const id = await approved(sender, driver)
  standIn.behaviour.fault = (path) => (path === '/transfer' ? 'after' : undefined)
  await sweep()
  standIn.behaviour.fault = () => undefined
  expect((await seen(driver, id)).payout).toMatchObject({ status: 'waiting' })
  expect(await refund(id)).toBe('409 wrong-status')
  await later(10 * minutes)
  expect(await refund(id)).toBe('409 wrong-status')
  expect((await rows(id)).some(({ kind }) => kind === 'refund')).toBe(false)
  await isConsistent()
})

test('R228: a payout that an open issue held back can be refunded', async () => {
  const [sender, driver] = [await server.sender(), await payable(await server.driver())]
  const id = await approved(sender, driver)
  await server.report(sender, id)
  await sweep()
  await later(10 * minutes)
  expect(await refund(id)).toBe(200)
  await isConsistent()
})

test('R210, R228: by admins alone, with a reason, and for no delivery that is not approved', async () => {
  const [sender, driver] = [await server.sender(), await server.driver()]
  const id = await approved(sender, driver)
  const pending = await held(sender)
  expect(await refund(pending.ID)).toBe('409 wrong-status')
  expect(await refund(id, { reason: ' ' })).toBe('400 invalid')
  for (const by of [sender, driver]) expect(await refund(id, {}, by)).toMatch(/^403/)
})
