import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { outboxModel } from '#store/deliveries/outbox-model.ts'
import { mergeFromServer } from '#store/deliveries/projection.ts'
import { freeEntries, freeRows } from '#store/maintenance/free-set-aside.ts'
import { responseReaderOf } from '#store/requests/entry-requests.ts'
import type { OutboxEntry } from '#sync/database/entry.ts'
import { deliveryOf } from '../../helpers/device/context.ts'
import { createDevice, filledDraft, person, signIn } from '../../helpers/device/device.ts'

const esi = { id: 'esi', name: 'Esi', phone: '0244000001' }
const later = '2026-11-21T12:00:00.000Z'
let device: ReturnType<typeof createDevice>
beforeEach(async () => {
  device = createDevice()
  await signIn(device.db, person('kofi', 'driver', { driverStatus: 'approved' }))
})
afterEach(() => device.db.close())

const within = <T>(work: () => Promise<T>): Promise<T> =>
  device.db.transaction('rw', device.db.tables, async () => work())
const offer = (id: string, more: Partial<Delivery> = {}) => deliveryOf(id, { sender: esi, ...more })
const merge = (deliveries: Delivery[], account = 'kofi') =>
  within(() => mergeFromServer(device.db, account, deliveries, { serverAt: 1 }))
const row = (id: string, account = 'kofi') => device.db.deliveries.get([account, id])
const accept = (id: string) => device.commands.acceptDelivery(id)
const entries = () => device.db.outbox.toArray()
const act = async (op: string) => (await entries()).find((each) => each.op === op) as OutboxEntry

describe('S6: what is pending stays over what the server says', () => {
  test.each([1, 100, 101, 400])('in an answer of %i rows', async (count) => {
    const rows = Array.from({ length: count }, (_, at) => offer(`d${at}`))
    await merge(rows)
    await accept('d0')
    await merge(rows.map((each) => ({ ...each, updatedAt: later, offer: 70 })))
    expect(await row('d0')).toMatchObject({
      view: { status: 'Accepted', offer: 70 },
      marks: [{ op: 'acceptDelivery' }],
    })
    if (count > 1) expect((await row('d1'))?.marks).toEqual([])
  })

  test('in an answer of 150 rows of which the phone held none, as after an eviction', async () => {
    const rows = Array.from({ length: 150 }, (_, at) => offer(`d${at}`))
    await merge(rows)
    await accept('d7')
    await device.db.deliveries.clear()
    await merge(rows)
    expect(await row('d7')).toMatchObject({
      view: { status: 'Accepted' },
      marks: [{ op: 'acceptDelivery' }],
    })
    expect((await row('d8'))?.marks).toEqual([])
  })

  test('in the order it was done, of this delivery and this person alone', async () => {
    await merge([offer('d0')])
    await accept('d0')
    await device.commands.pickUpDelivery('d0')
    const [first] = await entries()
    await device.db.outbox.add({ ...first, seq: undefined, id: 'x', account: 'ama' } as never)
    await merge([offer('d0', { updatedAt: later })])
    expect((await row('d0'))?.marks.map(({ op }) => op)).toEqual([
      'acceptDelivery',
      'pickUpDelivery',
    ])
    expect((await row('d0'))?.view.status).toBe('Picked Up')
  })
})

test('S59: an answer that comes after its person logged out writes no row', async () => {
  await merge([offer('d0')], 'ama')
  expect(await row('d0', 'ama')).toBeUndefined()
  await device.db.sessions.update('current', { expired: true })
  await merge([offer('d1')])
  expect(await row('d1')).toBeUndefined()
  await merge([offer('d2', { isGuestDelivery: true })], 'guest')
  expect(await row('d2', 'guest')).toBeDefined()
})

describe('S15: what made sense only with a refused act goes with it', () => {
  beforeEach(async () => {
    await merge([offer('d0'), offer('d1')])
    await accept('d0')
    await device.commands.pickUpDelivery('d0')
    await device.commands.completeDelivery('d0', '12345')
  })
  const lostWith = async (entry: OutboxEntry) =>
    within(async () => (await outboxModel.invalidatedBy(device.db, entry)).map(({ op }) => op))

  test('a pick-up and a code without their acceptance', async () => {
    expect(await lostWith(await act('acceptDelivery'))).toEqual([
      'pickUpDelivery',
      'completeDelivery',
    ])
  })

  test('what has been sent or taken back already does not', async () => {
    const pickUp = await act('pickUpDelivery')
    await device.db.outbox.update(pickUp.seq, { state: 'cancelled' })
    expect(await lostWith(await act('acceptDelivery'))).toEqual(['completeDelivery'])
  })

  test('S57: nor is it left where the act could not be read', async () => {
    const unreadable = await act('acceptDelivery')
    await device.db.outbox.delete(unreadable.seq)
    await within(() => freeEntries(device.db, [unreadable], 7))
    expect((await entries()).map(({ op, state, error }) => [op, state, error?.reason])).toEqual([
      ['pickUpDelivery', 'refused', 'skipped'],
      ['completeDelivery', 'refused', 'skipped'],
    ])
    expect((await row('d0'))?.view.status).toBe('Pending')
  })
})

test('everything in the lane of a refused request goes with it', async () => {
  const id = await device.commands.requestDelivery(await filledDraft(device.commands), 'guest')
  const create = await act('createGuestDelivery')
  await device.db.outbox.add({
    ...create,
    seq: undefined,
    id: 'later',
    op: 'reportIssue',
    input: { id, issue: 'Late', type: 'sender_issue' },
    state: 'waiting',
  } as never)
  const lost = await within(() => outboxModel.invalidatedBy(device.db, create))
  expect(lost.map((each) => each.id)).toEqual(['later'])
})

test('S57: lists of whoever held a row that could not be read come whole', async () => {
  const { db } = device
  await db.pulls.bulkPut(['kofi', 'ama'].map((account) => ({ account, list: 'jobs', at: 1 })))
  await within(() => freeRows(db, [{ account: 'kofi' }, null, { account: 7 }]))
  expect((await db.pulls.toArray()).map(({ account }) => account)).toEqual(['ama'])
})

describe('what a reply changes beside a row', () => {
  test('what an admin did is stored for their own account alone', async () => {
    const { db } = device
    const suspended = { until: 'tomorrow' }
    const held = (row: object) => ['kofi', 'ama'].map((account) => ({ account, ...row })) as never[]
    await db.drivers.bulkPut(held({ ID: 'yaw' }))
    await db.disputes.bulkPut(held({ ID: 'x' }))
    await db.users.bulkPut(held({ ID: 'yaw', suspended }))
    await db.payouts.bulkPut(held({ ID: 'p', status: 'failed', message: 'No such number' }))
    type Act = 'reviewDriver' | 'resolveDispute' | 'suspendUser' | 'settlePayout'
    const reply = (op: Act, id: string, value: object) => {
      const context = { db, clock: { monotonic: () => 7 } }
      const asking = { context, entry: { account: 'kofi' }, credentials: { id } }
      return responseReaderOf(op).reply(asking as never, { value, bytes: 0 } as never)
    }
    await reply('reviewDriver', 'yaw', { driver: { Status: 'approved' } })
    await reply('resolveDispute', 'x', { dispute: { status: 'resolved' } })
    await reply('suspendUser', 'yaw', { user: { ID: 'yaw' } })
    await reply('settlePayout', 'p', { payout: { ID: 'p', status: 'waiting' } })
    expect(await db.drivers.toArray()).toEqual([
      { account: 'ama', ID: 'yaw' },
      { account: 'kofi', ID: 'yaw', Status: 'approved', serverAt: 7 },
    ])
    expect(await db.disputes.toArray()).toEqual([
      { account: 'ama', ID: 'x' },
      { account: 'kofi', ID: 'x', status: 'resolved', serverAt: 7 },
    ])
    expect(await db.users.toArray()).toEqual([
      { account: 'ama', ID: 'yaw', suspended },
      { account: 'kofi', ID: 'yaw', serverAt: 7 },
    ])
    expect(await db.payouts.toArray()).toEqual([
      { account: 'ama', ID: 'p', status: 'failed', message: 'No such number' },
      { account: 'kofi', ID: 'p', status: 'waiting', serverAt: 7 },
    ])
  })
})
