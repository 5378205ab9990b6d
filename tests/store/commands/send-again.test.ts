import { beforeEach, expect, test } from 'vitest'
import { draft } from '#store/queries/queries.ts'
import { deliveryOf, saveRows } from '../../helpers/device/context.ts'
import { createDevice, filledDraft, person, signIn } from '../../helpers/device/device.ts'

const ama = { id: 'ama', name: 'Ama', phone: '0244000000' }
let device: ReturnType<typeof createDevice>
beforeEach(async () => {
  device = createDevice()
  await signIn(device.db, person('ama', 'sender'))
})

const merge = (more: object) =>
  saveRows(device.db, 'ama', [
    deliveryOf('d1', {
      sender: ama,
      status: 'Approved',
      recipientName: 'Esi',
      recipientPhone: '0550000001',
      ...more,
    } as never),
  ])

test('R20, R160: a delivery that is over fills the form, and its hosted photo needs no bytes', async () => {
  const details = { note: 'Keep it dry', size: 'small', fragile: true }
  await merge({ itemPhoto: 'https://photos.example/1.jpg', ...details })
  expect(await device.commands.sendAgain('d1')).toBe(true)
  const typed = await draft(device.db)
  expect(typed).toMatchObject({
    itemDescription: 'Laptop',
    pickupZone: 'Osu',
    dropoffZone: 'Tema',
    recipientName: 'Esi',
    recipientPhone: '0550000001',
    offer: '60',
    ...details,
  })
  const id = await device.commands.requestDelivery(typed ?? never(), 'account')
  // One entry: the photo is not sent a second time.
  const entries = await device.db.outbox.toArray()
  expect(entries.map(({ op, lane }) => [op, lane])).toEqual([['createDelivery', id]])
  expect(entries[0]?.input).toMatchObject(details)
  expect(await device.db.photos.get(typed?.photo ?? '')).toMatchObject({
    url: 'https://photos.example/1.jpg',
  })
})

test('R20: without a photo the form is filled all the same, and says so', async () => {
  await merge({ itemPhoto: undefined })
  expect(await device.commands.sendAgain('d1')).toBe(false)
  expect((await draft(device.db))?.photo).toBeUndefined()
})

test('R20: the photo that this phone still has is used again', async () => {
  const made = await filledDraft(device.commands)
  const id = await device.commands.requestDelivery(made, 'account')
  expect(await device.commands.sendAgain(id)).toBe(true)
  expect(await draft(device.db)).toMatchObject({ photo: made.photo })
})

test('R20: a delivery that this phone does not know is refused', async () => {
  await expect(device.commands.sendAgain('nowhere')).rejects.toMatchObject({ reason: 'not-found' })
})

function never(): never {
  throw new Error('There is no draft')
}
