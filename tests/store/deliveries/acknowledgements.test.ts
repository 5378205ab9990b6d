import { v7 } from 'uuid'
import { beforeEach, expect, test } from 'vitest'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { queueAcknowledgements } from '#store/deliveries/acknowledgements.ts'
import { entryMaker } from '#store/entries/new-entry.ts'
import type { Entry } from '#store/entries/operations.ts'
import { deliveryRow } from '#store/queries/deliveries.ts'
import { hasUnacknowledgedCancel } from '#store/queries/has-stored.ts'
import { ended, refusedEntry } from '#sync/database/entry.ts'
import { deliveryOf, saveRows } from '../../helpers/device/context.ts'
import { createDevice, person, signIn } from '../../helpers/device/device.ts'

const at = '2026-11-21T11:00:00.000Z'
let device: ReturnType<typeof createDevice>
beforeEach(async () => {
  device = createDevice()
  await signIn(device.db, person('kofi', 'driver', { driverStatus: 'approved' }))
})

const job = (over: Partial<Delivery> = {}): Delivery =>
  deliveryOf('d1', {
    status: 'Accepted',
    driver: { id: 'kofi', name: 'Kofi', phone: '0244000001' },
    history: [
      { status: 'Pending', at: '2026-11-21T10:00:00.000Z' },
      { status: 'Accepted', at: '2026-11-21T10:30:00.000Z' },
    ],
    ...over,
  } as Partial<Delivery>)
const cancelled = (over: Partial<Delivery> = {}): Delivery =>
  job({
    status: 'Cancelled',
    refund: 'held',
    refundDueAt: '2026-11-22T11:00:00.000Z',
    updatedAt: at,
    history: [...(job().history ?? []), { status: 'Cancelled', at }],
    ...over,
  })
const save = (delivery: Delivery) => saveRows(device.db, 'kofi', [delivery])
const queue = () =>
  queueAcknowledgements(
    device.db,
    entryMaker(v7, () => at),
  )
const queued = async () =>
  (await device.db.outbox.toArray()).map(({ op, state }) => `${op} ${state}`)

test('S63: the cancel of a job whose money is held is confirmed once, unseen', async () => {
  await save(cancelled())
  expect(await hasUnacknowledgedCancel(device.db)).toBe(true)
  expect([await queue(), await queue()]).toEqual([true, false])
  expect(await device.db.outbox.toArray()).toMatchObject([
    { op: 'acknowledgeCancel', lane: 'd1', isPart: 1, input: { id: 'd1' } },
  ])
  expect(await deliveryRow(device.db, 'd1')).toMatchObject({ marks: [] })
})

test.each([
  ['has gone back', { refund: 'done', refundDueAt: undefined }],
  ['waits for an admin', { refundDueAt: undefined }],
  ['was of another driver', { driver: { id: 'yaw', name: 'Yaw', phone: '0244000002' } }],
] as const)('S63: nothing is confirmed of money that %s', async (_, over) => {
  await save(cancelled(over as Partial<Delivery>))
  expect(await queue()).toBe(false)
})

test('S63: a server restored from a backup that holds the money again is told again', async () => {
  await save(cancelled())
  await queue()
  const [first] = await device.db.outbox.toArray()
  await device.db.outbox.put(ended(first as never, 'done', 1))
  await save(cancelled({ refund: 'done', refundDueAt: undefined, updatedAt: `${at}1` }))
  expect(await queue()).toBe(false)
  await device.db.deliveries.clear()
  await save(cancelled())
  expect(await queue()).toBe(true)
  expect(await queued()).toEqual(['acknowledgeCancel done', 'acknowledgeCancel waiting'])
})

test('S63: while a report that the server lost can be sent again, nothing is confirmed', async () => {
  await save(job())
  const id = await device.commands.pickUpDelivery('d1')
  const entry = await device.db.outbox.where('id').equals(id).first()
  const lost = { reason: 'lost', message: 'Lost' } as const
  await device.db.outbox.put(refusedEntry(entry as Entry, lost, 1))
  await save(cancelled())
  expect(await queue()).toBe(false)
  await device.commands.discard(id)
  expect(await queue()).toBe(true)
})

test('S63, S14: nothing is queued for whoever has to log in again', async () => {
  await save(cancelled())
  await device.db.sessions.update('current', { expired: true })
  expect(await queue()).toBe(false)
})
