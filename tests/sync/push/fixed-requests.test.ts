import { expect, test } from 'vitest'
import * as outboxQueries from '#store/queries/outbox/outbox.ts'
import { jpeg } from '../../helpers/device/device.ts'
import { present } from '../../helpers/server/server.ts'
import { serverOfFile } from '../server-fixture.ts'

const { server, network, phoneOf } = serverOfFile()

/** A driver's phone with a job of theirs at this status, and its sender. */
async function withJob(status: 'Accepted' | 'Picked Up' | 'Delivered') {
  const sender = await server().sender()
  const made = await server().delivery(sender)
  const someone = await server().driver()
  await server().drive(made, someone, status)
  const phone = await phoneOf(someone)
  return { sender, delivery: made, phone }
}

const approve = ({ token }: { token: string }, { ID }: { ID: string }) =>
  server().ask('changeStatus', { id: ID, token, body: { status: 'Approved' } })

const proofOf = async (id: string) => (await server().held(id))[0]?.proofOfDelivery

test('S43: a photo whose answer was lost while the sender approved has worked, and needs nobody', async () => {
  const { sender, delivery, phone } = await withJob('Delivered')
  const bodies: string[] = []
  network().setConditions((request, { path, method }) => {
    if (method !== 'PATCH' || !path.endsWith('/status')) return 'fine'
    void request
      .clone()
      .text()
      .then((text) => bodies.push(text))
    return bodies.length === 0 ? 'answer lost' : 'fine'
  })
  const photo = await phone.commands.savePhoto(jpeg, 'image/jpeg')
  const entry = await phone.commands.attachProof(delivery.ID, photo)
  const state = async () =>
    (await outboxQueries.outbox(phone.db)).find((each) => each.id === entry)?.state
  for (let round = 0; round < 5 && (await state()) !== 'retrying'; round++)
    await phone.engine.runRound()
  await approve(sender, delivery)
  // The phone hears of the approval before it tries again.
  await phone.engine.refresh({ kind: 'jobs' })
  await phone.settle()
  expect(await state()).toBe('done')
  expect(new Set(bodies).size).toBe(1)
  expect(await proofOf(delivery.ID)).toMatch(/^http/)
})

test('R28: a photo that arrives after the approval counts, the first one', async () => {
  const { sender, delivery, phone } = await withJob('Delivered')
  network().cut()
  const photo = await phone.commands.savePhoto(jpeg, 'image/jpeg')
  await phone.commands.attachProof(delivery.ID, photo)
  await approve(sender, delivery)
  network().restore()
  await phone.settle()
  const proof = await proofOf(delivery.ID)
  expect(proof).toMatch(/^http/)
})

test('S15: a photo taken after a code that was wrong is refused with the code, and goes again with it', async () => {
  const { delivery, phone } = await withJob('Picked Up')
  network().cut()
  const code = delivery.deliveryCode === '11111' ? '22222' : '11111'
  const wrong = await phone.commands.completeDelivery(delivery.ID, code)
  const photo = await phone.commands.savePhoto(jpeg, 'image/jpeg')
  const proof = await phone.commands.attachProof(delivery.ID, photo)
  network().restore()
  for (let round = 0; round < 4; round++) await phone.engine.wake()
  const entry = async (id: string) =>
    present((await outboxQueries.outbox(phone.db)).find((each) => each.id === id))
  expect(await entry(wrong)).toMatchObject({ state: 'refused', error: { reason: 'wrong-code' } })
  expect(await entry(proof)).toMatchObject({ state: 'refused', error: { because: wrong } })
})
