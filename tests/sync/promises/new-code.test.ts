import { beforeEach, expect, test } from 'vitest'
import { deliveryRow } from '#store/queries/deliveries.ts'
import { createClock, type createPhone } from '../../helpers/device/phone.ts'
import { type Person, present } from '../../helpers/server/server.ts'
import { serverOfFile } from '../server-fixture.ts'

const { server, network, phoneOf } = serverOfFile()

let phone: ReturnType<typeof createPhone>
let clock: ReturnType<typeof createClock>
let id: string
let code: string
let ama: Person
beforeEach(async () => {
  const yaw = await server().driver()
  ama = await server().sender()
  const made = await server().delivery(ama)
  await server().drive(made, yaw, 'Picked Up')
  id = made.ID
  code = present(made.deliveryCode)
  clock = createClock()
  phone = await phoneOf(ama, { clock })
})

const shown = async () => present(await deliveryRow(phone.db, id)).view.deliveryCode
const stored = async () => present(await server().repo.read(({ deliveries }) => deliveries.get(id)))

test('S67: a code that is being replaced is not shown, and is shown again when that was taken back; a lost answer draws no second one', async () => {
  expect(await shown()).toBe(code)
  network().cut()
  await phone.commands.renewCode(id)
  const [first] = await phone.db.outbox.toArray()
  await phone.commands.discard(present(first).id)
  expect(await shown()).toBe(code)
  await phone.commands.renewCode(id)
  await phone.engine.wake()
  expect(await shown()).toBeUndefined()
  network().restore()
  network().setConditions((_, { path }) => (/\/(batch|code)$/.test(path) ? 'answer lost' : 'fine'))
  await phone.engine.wake()
  expect(await shown()).toBeUndefined()
  network().setConditions(() => 'fine')
  clock.pass(600_000)
  await phone.settle()
  const { deliveryCode, newCodes } = await stored()
  expect(newCodes).toBe(1)
  expect(deliveryCode).not.toBe(code)
  expect(await shown()).toBe(deliveryCode)
})

test('S67: refused, the old code is shown again, with the reason', async () => {
  network().cut()
  await phone.commands.renewCode(id)
  for (let n = 0; n < 3; n++) await server().ask('renewCode', { token: ama.token, id, body: {} })
  network().restore()
  await phone.settle()
  const row = present(await deliveryRow(phone.db, id))
  expect(row.marks).toMatchObject([
    { op: 'renewCode', state: 'refused', error: { reason: 'codes' } },
  ])
  expect(await shown()).toBe((await stored()).deliveryCode)
})
