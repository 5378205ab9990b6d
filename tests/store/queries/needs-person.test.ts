import { beforeEach, expect, test } from 'vitest'
import type { Status } from '#domain/deliveries/delivery.ts'
import { needsPerson } from '#store/queries/needs-person.ts'
import { outboxSummary } from '#store/queries/queries.ts'
import { deliveriesUnderWay } from '#store/queries/under-way.ts'
import { deliveryOf, saveRows } from '../../helpers/device/context.ts'
import { createDevice, person, signIn } from '../../helpers/device/device.ts'

let device: ReturnType<typeof createDevice>
beforeEach(() => {
  device = createDevice()
})

const ama = { id: 'ama', name: 'Ama', phone: '0244000000' }
const kofi = { id: 'kofi', name: 'Kofi', phone: '0244000001' }
let version = 0

const needed = async () =>
  needsPerson(await outboxSummary(device.db), await deliveriesUnderWay(device.db))

async function answer(account: string, status: Status, more: object = {}) {
  version += 1
  const updatedAt = new Date(Date.UTC(2026, 10, 24) + version * 1_000).toISOString()
  const delivery = deliveryOf('d1', {
    sender: ama,
    driver: kofi,
    status,
    updatedAt,
    ...more,
  } as never)
  await saveRows(device.db, account, [delivery])
}

test('the app’s icon counts what a sender is to confirm, until they have', async () => {
  await signIn(device.db, person('ama', 'sender'))
  expect(await needed()).toBe(0)
  for (const status of ['Accepted', 'Picked Up'] as const) {
    await answer('ama', status)
    expect(await needed()).toBe(0)
  }
  await answer('ama', 'Picked Up', { returning: { at: '2026-11-24T00:00:00Z', reason: 'absent' } })
  expect(await needed()).toBe(1)
  await answer('ama', 'Delivered')
  expect(await needed()).toBe(1)
  await device.commands.approveDelivery('d1')
  // Nothing is left for the person to do, with or without a network.
  expect(await needed()).toBe(0)
})

test('the app’s icon counts nothing for the driver who waits for an approval', async () => {
  await signIn(device.db, person('kofi', 'driver', { driverStatus: 'approved' }))
  await answer('kofi', 'Delivered')
  expect(await needed()).toBe(0)
})

test('the app’s icon counts what was refused, once each', async () => {
  await signIn(device.db, person('ama', 'sender'))
  await device.commands.changePhone('0244000009')
  const [entry] = await device.db.outbox.toArray()
  if (entry) await device.db.outbox.put({ ...entry, state: 'refused' })
  expect(await needed()).toBe(1)
})
