import { expect, test } from 'vitest'
import { present } from '../../helpers/server/server.ts'
import { serverOfFile } from '../server-fixture.ts'

const { server, network, phoneOf } = serverOfFile()

/** A phone of the sender of a delivery that was handed over, whose next approval is refused in the backend's own way. */
async function phoneOfSender() {
  const sender = await server().sender()
  const made = await server().delivery(sender)
  await server().drive(made, await server().driver(), 'Delivered')
  const phone = await phoneOf(sender)
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
})

test('R126: a tip given offline is shown at once, and goes with the approval or, undone, with it', async () => {
  const { phone, id, sender } = await phoneOfSender()
  const known = async () =>
    present((await server().ask('getDelivery', { id, token: sender.token })).value).delivery
  const view = async () => present((await phone.db.deliveries.toArray())[0]).view
  network().cut()
  await expect(phone.commands.approveDelivery(id, { tip: 60.51 })).rejects.toThrow('A tip is')
  const undone = await phone.commands.approveDelivery(id, { tip: 7 })
  expect(await view()).toMatchObject({ status: 'Approved', tip: 7 })
  await phone.commands.discard(undone)
  expect((await view()).tip).toBeUndefined()
  await phone.commands.approveDelivery(id, { tip: 5 })
  expect(await view()).toMatchObject({ status: 'Approved', tip: 5 })
  expect(await known()).toMatchObject({ status: 'Delivered' })
  network().restore()
  await phone.settle()
  for (const row of [await view(), await known()])
    expect(row).toMatchObject({ status: 'Approved', tip: 5 })
})

test('R126, S75: a tip for what was approved without one meanwhile is refused, and nobody reads it', async () => {
  const { phone, id, sender } = await phoneOfSender()
  network().cut()
  await phone.commands.approveDelivery(id, { tip: 5 })
  await server().ask('changeStatus', { id, token: sender.token, body: { status: 'Approved' } })
  network().restore()
  await phone.settle()
  expect((await phone.db.outbox.toArray())[0]).toMatchObject({
    op: 'approveDelivery',
    state: 'refused',
    error: { reason: 'wrong-status' },
  })
  const [row] = await phone.db.deliveries.toArray()
  expect(row?.view.status).toBe('Approved')
  expect(row?.view.tip).toBeUndefined()
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
})
