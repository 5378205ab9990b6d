import { expect, test } from 'vitest'
import { reportsOf } from '#store/queries/reports.ts'
import { deliveryOf, saveRows } from '../../helpers/device/context.ts'
import { createDevice, person, signIn } from '../../helpers/device/device.ts'

test('R59: a report that waits on this phone is listed as not sent, and once the server lists it no more', async () => {
  const { db, commands } = createDevice()
  const yaw = { id: 'yaw', name: 'Yaw', phone: '0244000002' }
  await signIn(db, person('yaw', 'driver', { driverStatus: 'approved' }))
  await saveRows(db, 'yaw', [deliveryOf('d0', { status: 'Accepted', driver: yaw })])
  await commands.reportIssue('d0', 'Nobody comes')
  expect(await reportsOf(db, 'd0')).toMatchObject([{ issue: 'Nobody comes', unsent: true }])
  const [entry] = await db.outbox.toArray()
  await db.disputes.put({
    account: 'yaw',
    ID: entry?.id ?? '',
    DeliveryID: 'd0',
    issue: 'Nobody comes',
    type: 'driver_issue',
    priority: 'medium',
    status: 'open',
    CreatedAt: '2026-11-22T10:00:00.000Z',
  })
  expect(await reportsOf(db, 'd0')).toMatchObject([{ issue: 'Nobody comes', unsent: false }])
})
