import { expect, test } from 'vitest'
import { whyNotRestorable } from '#store/commands/set-aside.ts'
import { checkRows } from '#store/maintenance/row-checks.ts'
import * as deliveryQueries from '#store/queries/deliveries.ts'
import { unsentFile } from '#store/queries/outbox/unsent-file.ts'
import { createDevice, filledDraft, person, signIn } from '../../helpers/device/device.ts'

/** A phone with one request, and its id. */
async function deviceWithRequest() {
  const device = createDevice()
  await signIn(device.db, person('ama', 'sender'))
  const id = await device.commands.requestDelivery(await filledDraft(device.commands), 'account')
  return { ...device, id }
}

test('S58, S30: the file holds what was set aside, with its photos, and no token or code', async () => {
  const { db, id } = await deviceWithRequest()
  const entry = await db.outbox.where('id').equals(id).first()
  await db.outbox
    .where('id')
    .equals(id)
    .modify({ op: 'teleport' } as never)
  await db.guests.put({ id: 'g', guestToken: 'secret-token', senderName: 3 } as never)
  await checkRows(db, 1)
  const text = await (await unsentFile(db, Date.now())).text()
  const file = JSON.parse(text)
  expect(file.setAside.map(({ from }: { from: string }) => from)).toEqual(['outbox', 'guests'])
  expect(Object.keys(file.photos)).toContain(entry?.photos[0])
  expect(text).not.toContain('secret-token')
})

test('S58: a row set aside goes back once it can be read, and no sooner', async () => {
  const { db, commands, id } = await deviceWithRequest()
  const [seq] = await db.outbox.where('id').equals(id).primaryKeys()
  await db.outbox
    .where('id')
    .equals(id)
    .modify({ op: 'teleport' } as never)
  await checkRows(db, 1)
  const [row] = await db.setAside.toArray()
  await expect(commands.restoreSetAside(row?.id ?? 0)).rejects.toMatchObject({ reason: 'invalid' })
  await db.setAside.update(row?.id ?? 0, { value: { ...Object(row?.value), op: 'createDelivery' } })
  await commands.restoreSetAside(row?.id ?? 0)
  expect(await db.setAside.count()).toBe(0)
  expect(await db.outbox.where('id').equals(id).first()).toMatchObject({ seq, state: 'waiting' })
  expect(await deliveryQueries.activeSent(db)).toMatchObject({ ID: id })
})

test('S58: a row that comes from the server needs no way back, and is told so', () => {
  for (const from of ['zones', 'constructor', '__proto__', 'toString'])
    expect(whyNotRestorable({ from, value: {} })).toMatch(/by itself/)
})
