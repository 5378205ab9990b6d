import { Dexie } from 'dexie'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import * as deliveryQueries from '#store/queries/deliveries.ts'
import { SomaDb } from '#store/soma-db.ts'
import { deliveryOf, saveRows } from '../../helpers/device/context.ts'
import { createDevice, person, signIn } from '../../helpers/device/device.ts'

test('R29, R30: a job and a delivery whose end waits in the queue of an earlier release are active again', async () => {
  const { db: now, commands } = createDevice()
  const kofi = person('kofi', 'driver', { driverStatus: 'approved' })
  await signIn(now, kofi)
  const contact = { id: 'kofi', name: 'Kofi', phone: '0244000000' }
  const rows = [
    deliveryOf('job', { status: 'Picked Up', driver: contact } as never),
    deliveryOf('sent', { status: 'Delivered', sender: contact } as never),
    deliveryOf('other', { status: 'Delivered', driver: contact } as never),
  ]
  await saveRows(now, 'kofi', rows)
  await commands.completeDelivery('job', '12345')
  await commands.approveDelivery('sent')
  const before = new Dexie(`before-${v7()}`)
  const deliveries =
    '[account+ID], [account+sentAt], [account+jobAt], [account+openAt], [account+adminAt], [account+active]'
  before.version(4).stores({
    deliveries: `${deliveries}, [account+aheadAt]`,
    outbox: '++seq, &id, state, [account+state], [account+lane], [account+unseen]',
    sessions: 'key',
  })
  for (const name of ['outbox', 'sessions', 'deliveries'])
    await before.table(name).bulkAdd(await now.table(name).toArray())
  await before.table('deliveries').toCollection().modify({ active: undefined })
  before.close()
  now.close()
  const db = new SomaDb(before.name)
  expect((await deliveryQueries.activeJob(db))?.ID).toBe('job')
  const active = await db.deliveries.toArray()
  expect(active.map(({ ID, active }) => [ID, active]).sort()).toEqual([
    ['job', 'job'],
    ['other', undefined],
    ['sent', 'delivery'],
  ])
  db.close()
})
