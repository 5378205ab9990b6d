import { beforeEach, expect, test } from 'vitest'
import { activeJob, activeSent } from '#store/queries/deliveries.ts'
import { deliveryOf, saveRows } from '../../helpers/device/context.ts'
import { createDevice, filledDraft, person, signIn } from '../../helpers/device/device.ts'

const kofi = { id: 'kofi', name: 'Kofi', phone: '0244000001' }
const ama = { id: 'ama', name: 'Ama', phone: '0244000000' }
let device: ReturnType<typeof createDevice>
beforeEach(() => {
  device = createDevice()
})

const merge = (account: string, ...rows: object[]) =>
  saveRows(
    device.db,
    account,
    rows.map((row, at) => deliveryOf(`d${at}`, row as never)),
  )

test('R29: a job whose code waits to be checked stays the active one: no other can be accepted', async () => {
  await signIn(device.db, person('kofi', 'driver', { driverStatus: 'approved' }))
  const updatedAt = '2026-11-22T10:00:00.000Z'
  const [job, offer] = [{ status: 'Picked Up', driver: kofi, sender: ama }, { sender: ama }]
  await merge('kofi', job, offer)
  await device.commands.completeDelivery('d0', '12345')
  expect(await activeJob(device.db)).toMatchObject({ ID: 'd0', view: { status: 'Picked Up' } })
  await expect(device.commands.acceptDelivery('d1')).rejects.toMatchObject({ reason: 'active-job' })
  const [entry] = await device.db.outbox.toArray()
  await device.commands.discard(entry?.id ?? '')
  expect(await activeJob(device.db)).toMatchObject({ ID: 'd0', view: { status: 'Picked Up' } })
  await merge('kofi', { ...job, status: 'Delivered', updatedAt }, offer)
  expect(await activeJob(device.db)).toBeNull()
  await device.commands.acceptDelivery('d1')
})

test.each([
  ['approveDelivery', 'Delivered'],
  ['cancelDelivery', 'Pending'],
] as const)('R30: a request made after %s is sent after it', async (command, status) => {
  await signIn(device.db, person('ama', 'sender'))
  await merge('ama', { sender: ama, status, driver: status === 'Pending' ? undefined : kofi })
  const draft = await filledDraft(device.commands)
  await expect(device.commands.requestDelivery(draft, 'account')).rejects.toMatchObject({
    reason: 'active-delivery',
  })
  await device.commands[command]('d0')
  expect(await activeSent(device.db)).toBeNull()
  const id = await device.commands.requestDelivery(draft, 'account')
  const [end, , create] = await device.db.outbox.toArray()
  expect(create).toMatchObject({ lane: id, after: expect.arrayContaining([end?.id]) })
})

test('R110: a proved hand-over is marked so, also after another read of the row; one by digits is not', async () => {
  await signIn(device.db, person('kofi', 'driver', { driverStatus: 'approved' }))
  const job = { status: 'Picked Up', driver: kofi, sender: ama }
  await merge('kofi', job, job)
  await device.commands.proveHandover('d0', 'AAECAwQFBgcICQoLDA0ODw')
  await device.commands.completeDelivery('d1', '12345')
  for (let reads = 0; reads < 2; reads++) {
    const rows = await device.db.deliveries.toArray()
    expect(rows.map(({ marks }) => marks[0]?.proved)).toEqual([true, undefined])
    await merge('kofi', job, job)
  }
})

test.each([
  ['proveHandover', 'AAECAwQFBgcICQoLDA0ODw'],
  ['reportAttempt', { reason: 'absent' }],
] as const)('R110: %s takes back the digits that wait to be checked', async (command, input) => {
  const { db, commands } = device
  await signIn(db, person('kofi', 'driver', { driverStatus: 'approved' }))
  await merge('kofi', { status: 'Picked Up', driver: kofi, sender: ama })
  const digits = await commands.completeDelivery('d0', '12345')
  await db.outbox.where('id').equals(digits).modify({ left: true })
  const entry = await commands[command]('d0', input as never)
  const entries = await db.outbox.toArray()
  expect(entries.map(({ id, withdrawal }) => [id, withdrawal])).toEqual([
    [digits, 'asked'],
    [entry, undefined],
  ])
})
