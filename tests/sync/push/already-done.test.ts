import { expect, test } from 'vitest'
import { createPhone } from '../../helpers/device/phone.ts'
import { serverOfFile } from '../server-fixture.ts'

const { server, network } = serverOfFile()

/** A phone of the sender of a delivery that was handed over, whose next approval is refused in the backend's own way. */
async function phoneOfSender() {
  const sender = await server().sender()
  const made = await server().delivery(sender)
  await server().drive(made, await server().driver(), 'Delivered')
  const phone = createPhone(network())
  await phone.start()
  await phone.session.login(sender.email, sender.password)
  await phone.settle()
  return { phone, id: made.ID, sender }
}

test('S75: a refusal because it is done already ends as done, with the row that shows it', async () => {
  const { phone, id, sender } = await phoneOfSender()
  network().setConditions((_, { method }) => (method === 'GET' ? 'request lost' : 'fine'))
  await server().ask('changeStatus', { id, token: sender.token, body: { status: 'Approved' } })
  network().setConditions((_, { path }) =>
    path === '/api/sender/deliveries' ? 'request lost' : 'fine',
  )
  await phone.commands.approveDelivery(id)
  await phone.settle()
  const [entry] = await phone.db.outbox.toArray()
  expect(entry).toMatchObject({ op: 'approveDelivery', state: 'done' })
  const [row] = await phone.db.deliveries.toArray()
  expect(row).toMatchObject({ view: { status: 'Approved' }, marks: [] })
  network().restore()
  await phone.kill()
})

test('S75: where the row does not show it, the refusal stands; where nobody says, it is tried again', async () => {
  const { phone, id } = await phoneOfSender()
  network().setConditions((_, { path, method }) => {
    if (path.endsWith('/status'))
      return Response.json({ error: 'No', reason: 'wrong-status' }, { status: 409 })
    return path === `/api/deliveries/${id}` && method === 'GET' ? 'request lost' : 'fine'
  })
  await phone.commands.approveDelivery(id)
  await phone.engine.wake()
  expect((await phone.db.outbox.toArray())[0]).toMatchObject({ state: 'retrying' })
  network().setConditions((_, { path }) =>
    path.endsWith('/status')
      ? Response.json({ error: 'No', reason: 'wrong-status' }, { status: 409 })
      : 'fine',
  )
  await phone.settle()
  expect((await phone.db.outbox.toArray())[0]).toMatchObject({
    state: 'refused',
    error: { reason: 'wrong-status' },
  })
  network().restore()
  await phone.kill()
})
