import { expect, test } from 'vitest'
import type { Status } from '#domain/deliveries/delivery.ts'
import { jobs, sent } from '#store/queries/lists.ts'
import { deliveriesUnderWay } from '#store/queries/under-way.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import { deliveryOf, saveRows } from '../../helpers/device/context.ts'
import { createDevice, person, signIn } from '../../helpers/device/device.ts'

test.each<[Status, string[]]>([
  ['Pending', ['d1']],
  ['Delivered', ['d1']],
  ['Approved', []],
])('R58: a guest’s delivery that is %s is under way: %j', async (status, shown) => {
  const { db } = createDevice()
  const createdAt = new Date(0).toISOString()
  await db.guests.put({ id: 'd1', senderName: 'Kofi', senderPhone: '0244000000', createdAt })
  await saveRows(db, guestAccount, [deliveryOf('d1', { status })])
  expect((await deliveriesUnderWay(db, 1_000)).map(({ id }) => id)).toEqual(shown)
})

test('what Home and Send show as under way stands in the lists of Deliveries', async () => {
  const { db } = createDevice()
  const kofi = { id: 'kofi', name: 'Kofi', phone: '0244000001' }
  const ama = { id: 'ama', name: 'Ama', phone: '0244000000' }
  await signIn(db, person('kofi', 'driver', { driverStatus: 'approved' }))
  await saveRows(db, 'kofi', [
    deliveryOf('job', { sender: ama, driver: kofi, status: 'Picked Up' }),
    deliveryOf('sent', { sender: kofi, status: 'Pending' }),
    deliveryOf('unpaid', { sender: ama, driver: kofi, status: 'Delivered' }),
    deliveryOf('paid', { sender: ama, driver: kofi, status: 'Approved' }),
  ])
  const live = (await deliveriesUnderWay(db)).map(({ id }) => id)
  expect(live).toEqual(['job', 'sent', 'unpaid'])
  const listed = [...(await sent(db)), ...(await jobs(db))].map(({ ID }) => ID)
  expect(listed.sort()).toEqual([...live, 'paid'].sort())
})
