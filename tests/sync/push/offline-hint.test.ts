import { expect, test } from 'vitest'
import * as outboxQueries from '#store/queries/outbox/outbox.ts'
import { filledDraft } from '../../helpers/device/device.ts'
import type { createPhone } from '../../helpers/device/phone.ts'
import { present } from '../../helpers/server/server.ts'
import { serverOfFile } from '../server-fixture.ts'

const { server, network, startedPhone } = serverOfFile()

const entryOf = async (phone: ReturnType<typeof createPhone>, id: string) =>
  present((await outboxQueries.outbox(phone.db)).find((each) => each.id === id))

test('S40: a device that wrongly says it has no network sends all the same, and what left may have arrived', async () => {
  const phone = await startedPhone({ isOffline: () => true })
  network().setConditions((_, { path }) =>
    path === '/api/guest/deliveries' ? 'answer lost' : 'fine',
  )
  const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'guest')
  await phone.engine.wake()
  expect(await server().held(id)).toHaveLength(1)
  expect(await entryOf(phone, id)).toMatchObject({ left: true })
  // Taken back, it is cancelled where it is on offer.
  await phone.commands.discard(id)
  network().restore()
  await phone.settle()
  expect(await server().held(id)).toMatchObject([{ status: 'Cancelled' }])
})

test('S40: with no network and a device that says so, nothing leaves of which nobody knows whether it arrived', async () => {
  network().cut()
  const phone = await startedPhone({ isOffline: () => true })
  const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'guest')
  for (let round = 0; round < 3; round++) await phone.engine.wake()
  expect((await entryOf(phone, id)).left).toBeUndefined()
  expect(await entryOf(phone, id)).toMatchObject({ state: 'waiting', attempts: 0 })
  await phone.commands.discard(id)
  network().restore()
  await phone.settle()
  expect(await server().held(id)).toEqual([])
})

test('S40: a device that says it has a network and has none: what was tried may have left', async () => {
  network().cut()
  const phone = await startedPhone({ isOffline: () => false })
  const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'guest')
  await phone.engine.wake()
  const upload = present((await entryOf(phone, id)).after[0])
  expect(await entryOf(phone, upload)).toMatchObject({ state: 'retrying', left: true })
})
