import { expect, test } from 'vitest'
import type { Status } from '#domain/deliveries/delivery.ts'
import { deliveriesUnderWay } from '#store/queries/under-way.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import { deliveryOf, saveRows } from '../../helpers/device/context.ts'
import { createDevice } from '../../helpers/device/device.ts'

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
