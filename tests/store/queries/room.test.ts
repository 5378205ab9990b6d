import { expect, test } from 'vitest'
import { room } from '#store/queries/room.ts'
import { deliveryOf, saveRows } from '../../helpers/device/context.ts'
import { createDevice, person, signIn } from '../../helpers/device/device.ts'

test('R24: with an accepted job its screen reads who the driver is and the entry that is not sent yet', async () => {
  const { db, commands } = createDevice()
  await signIn(db, person('yaw', 'driver', { driverStatus: 'approved' }))
  await saveRows(db, 'yaw', [deliveryOf('d0', { status: 'Pending' })])
  expect(await room(db, 'd0')).toMatchObject({ isOld: false, isOffered: false, entries: new Map() })
  const id = await commands.acceptDelivery('d0')
  const found = await room(db, 'd0')
  expect(found).toMatchObject({ row: { ID: 'd0' }, who: { user: { ID: 'yaw' } } })
  expect([...(found?.entries.keys() ?? [])]).toEqual([id])
  expect(found?.entries.get(`${id}`)?.entry).toMatchObject({ op: 'acceptDelivery' })
  expect(await room(db, 'unknown')).toBeNull()
})
