import { beforeEach, expect, test } from 'vitest'
import { evict } from '#store/maintenance/evict.ts'
import { deliveryOf, saveRows } from '../../helpers/device/context.ts'
import { createDevice, filledDraft, jpeg, person, signIn } from '../../helpers/device/device.ts'

const ama = { id: 'ama', name: 'Ama', phone: '0244000000' }
const esi = { id: 'esi', name: 'Esi', phone: '0244000001' }
let device: ReturnType<typeof createDevice>
const merge = (account: string, ...rows: ReturnType<typeof deliveryOf>[]) =>
  saveRows(device.db, account, rows)
const heldRows = async () => (await device.db.deliveries.toArray()).map(({ ID }) => ID).sort()
const heldPhotos = async () => new Set(await device.db.photos.toCollection().primaryKeys())

beforeEach(async () => {
  device = createDevice()
  await signIn(device.db, person('ama', 'driver', { driverStatus: 'approved' }))
})

test.each(['Pending', 'Accepted', 'Picked Up'] as const)(
  'S26: a sender’s own delivery that is %s stays on a full phone; what has ended goes',
  async (status) => {
    await merge('ama', deliveryOf('live', { sender: ama, status }))
    await merge('ama', deliveryOf('ended', { sender: ama, status: 'Approved' }))
    await evict(device.db)
    expect(await heldRows()).toEqual(['live'])
  },
)

test.each(['Accepted', 'Picked Up'] as const)(
  'S26: a driver’s job that is %s stays on a full phone; jobs on offer and past ones go',
  async (status) => {
    await merge('ama', deliveryOf('live', { sender: esi, driver: ama, status }))
    await merge('ama', deliveryOf('past', { sender: esi, driver: ama, status: 'Approved' }))
    await merge('ama', deliveryOf('offer', { sender: esi }))
    await evict(device.db)
    expect(await heldRows()).toEqual(['live'])
  },
)

test('S26: what has ended stays while an operation on it is unsent or refused', async () => {
  for (const id of ['unsent', 'refused'])
    await merge('ama', deliveryOf(id, { sender: ama, status: 'Delivered' }))
  await merge('ama', deliveryOf('plain', { sender: ama, status: 'Approved' }))
  await device.commands.approveDelivery('refused')
  await device.db.outbox.toCollection().modify({ state: 'refused' })
  await device.commands.approveDelivery('unsent')
  await evict(device.db)
  expect(await heldRows()).toEqual(['refused', 'unsent'])
})

test('S26: a guest’s rows stay, for nobody could ask for them again', async () => {
  await merge('guest', deliveryOf('g1', { isGuestDelivery: true, status: 'Approved' }))
  await merge('ama', deliveryOf('a1', { sender: ama, status: 'Approved' }))
  await evict(device.db)
  expect(await heldRows()).toEqual(['g1'])
})

test('S26, S11: photos stay that an entry, a refused one too, a draft or no server has; others go', async () => {
  const { commands, db } = device
  const request = await filledDraft(commands)
  await commands.requestDelivery(request, 'account')
  const refused = await filledDraft(commands)
  const id = await commands.requestDelivery(refused, 'guest')
  await db.outbox.where('id').equals(id).modify({ state: 'refused' })
  const typed = await filledDraft(commands)
  await commands.saveDraft(typed)
  const [loose, spare] = [
    await commands.savePhoto(jpeg, 'image/jpeg'),
    await commands.savePhoto(jpeg, 'image/jpeg'),
  ]
  // The provider has all of them but one.
  await db.photos.where('id').notEqual(loose).modify({ url: 'https://photos.test/1' })
  await evict(db)
  const held = await heldPhotos()
  for (const photo of [request.photo, refused.photo, typed.photo, loose])
    expect(held).toContain(photo)
  expect(held).not.toContain(spare)
})

test('S26, S10: every list comes whole again after rows were evicted', async () => {
  await device.db.pulls.put({ account: 'ama', list: 'sent', cursor: 'c1', at: 1 })
  await device.db.users.put({ ...person('esi', 'user'), account: 'ama' })
  await device.db.pages.put({ account: 'ama', list: 'x', query: '', ids: [], total: 0, at: 1 })
  await evict(device.db)
  expect(await device.db.pulls.count()).toBe(0)
  expect(await device.db.users.count()).toBe(0)
  expect(await device.db.pages.count()).toBe(0)
})
