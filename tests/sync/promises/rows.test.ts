import { expect, test } from 'vitest'
import * as deliveryQueries from '#store/queries/deliveries.ts'
import * as lists from '#store/queries/lists.ts'
import { createClock, createPhone } from '../../helpers/device/phone.ts'
import { present } from '../../helpers/server/server.ts'
import { serverOfFile } from '../server-fixture.ts'

const { server, network } = serverOfFile()

test('S5: with nothing pending, the view is the row that the server shows this person', async () => {
  const made = await server().delivery(await server().sender())
  const phone = await server().driverPhone(network())
  await phone.settle()
  network().cut()
  await phone.commands.acceptDelivery(made.ID)
  await phone.commands.pickUpDelivery(made.ID)
  expect(await deliveryQueries.deliveryRow(phone.db, made.ID)).toMatchObject({
    view: { status: 'Picked Up' },
    server: { status: 'Pending' },
  })
  network().restore()
  await phone.settle()
  const token = (await phone.db.sessions.get('current'))?.token
  const { value } = await server().ask('getDelivery', { id: made.ID, token })
  const row = present(await deliveryQueries.deliveryRow(phone.db, made.ID))
  expect(row.marks).toEqual([])
  expect(row.server).toBeUndefined()
  expect(row.view).toEqual(present(value).delivery)
  await phone.kill()
})

test('S8: what one account left unsent is not sent while another is logged in', async () => {
  const first = await server().driver()
  const second = await server().driver()
  const made = await server().delivery(await server().sender())
  const phone = createPhone(network())
  await phone.start()
  await phone.session.login(first.email, first.password)
  await phone.settle()
  network().setConditions(({ method }) => (method === 'GET' ? 'fine' : 'request lost'))
  await phone.commands.acceptDelivery(made.ID)
  await phone.session.logout('keep')
  network().restore()
  await phone.session.login(second.email, second.password)
  await phone.settle()
  expect(await server().held(made.ID)).toMatchObject([{ status: 'Pending' }])
  await phone.session.logout('keep')
  await phone.session.login(first.email, first.password)
  await phone.settle()
  expect(await server().held(made.ID)).toMatchObject([
    { status: 'Accepted', driver: { id: first.user.ID } },
  ])
  await phone.kill()
})

test('S10: a pull from a cursor brings every row committed since, and names those that left the list', async () => {
  const clock = createClock()
  const someone = await server().driver()
  const phone = createPhone(network(), { clock })
  await phone.start()
  await phone.session.login(someone.email, someone.password)
  const early = await server().delivery(await server().sender())
  await phone.settle()
  const ids = async () => (await lists.available(phone.db)).map(({ ID }) => ID)
  expect(await ids()).toContain(early.ID)
  const late = [
    await server().delivery(await server().sender()),
    await server().delivery(await server().sender()),
  ]
  await server().drive(early, await server().driver(), 'Accepted')
  clock.pass(60_000)
  await phone.settle()
  expect(await ids()).toEqual(expect.arrayContaining(late.map(({ ID }) => ID)))
  expect(await ids()).not.toContain(early.ID)
  await phone.kill()
})

test('S24: a list is requested again after its interval, not before', async () => {
  const clock = createClock()
  const sender = await server().sender()
  const phone = createPhone(network(), { clock })
  network().setConditions((_, { path }) =>
    path === '/api/events'
      ? Response.json({ error: 'x', reason: 'not-found' }, { status: 404 })
      : 'fine',
  )
  await phone.start()
  await phone.session.login(sender.email, sender.password)
  await phone.settle()
  const requests = () =>
    network().passed.filter(({ path }) => path === '/api/sender/deliveries').length
  const before = requests()
  clock.pass(9_000)
  await phone.engine.runRound()
  expect(requests()).toBe(before)
  clock.pass(1_001)
  await phone.engine.runRound()
  expect(requests()).toBe(before + 1)
  await phone.kill()
})

test('S38: after a logout no row of the account is left on the phone', async () => {
  const sender = await server().sender()
  const made = await server().delivery(sender)
  const phone = createPhone(network())
  await phone.start()
  await phone.session.login(sender.email, sender.password)
  await phone.settle()
  expect(await deliveryQueries.deliveryRow(phone.db, made.ID)).not.toBeNull()
  await phone.session.logout('discard')
  expect(await phone.db.deliveries.count()).toBe(0)
  expect(await phone.db.outbox.count()).toBe(0)
  expect(await phone.db.sessions.count()).toBe(0)
  await phone.kill()
})

test('S39: a logout without a network ends the session on the server later', async () => {
  const sender = await server().sender()
  const clock = createClock()
  const phone = createPhone(network(), { clock })
  await phone.start()
  await phone.session.login(sender.email, sender.password)
  await phone.settle()
  const token = (await phone.db.sessions.get('current'))?.token
  network().cut()
  await phone.session.logout('keep')
  expect((await server().ask('me', { token })).status).toBe(200)
  network().restore()
  clock.pass(3_600_000)
  await phone.settle()
  // No other request waits for it.
  await expect.poll(() => phone.db.revocations.count()).toBe(0)
  await expect(server().ask('me', { token })).rejects.toMatchObject({ status: 401 })
  await phone.kill()
})
