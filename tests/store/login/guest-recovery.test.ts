import { expect, test } from 'vitest'
import { deliveryRow } from '#store/queries/deliveries.ts'
import { guestRecord } from '#store/queries/queries.ts'
import { filledDraft } from '../../helpers/device/device.ts'
import { createClock, createNetwork, type Phone } from '../../helpers/device/phone.ts'
import { serverOfFile } from '../../sync/server-fixture.ts'

const { server, network, startedPhone } = serverOfFile()

let numbers = 0
/** A phone number that no other test uses. */
const newNumber = () => `02440001${String(numbers++).padStart(2, '0')}`

async function request(phone: Phone, senderPhone: string, itemDescription = 'Laptop') {
  const draft = await filledDraft(phone.commands, { senderPhone, itemDescription })
  return phone.commands.requestDelivery(draft, 'guest')
}

const recover = async (phone: Phone, number: string) => {
  await phone.session.recoverGuest(number)
  return phone.session.confirmGuestRecovery(number, server().codeSentTo(number))
}

test('R109: a guest’s live deliveries come back to another phone, which acts on them', async () => {
  const number = newNumber()
  const lost = await startedPhone()
  const ids = [await request(lost, number, 'Drum'), await request(lost, number, 'Flute')]
  await lost.settle()

  const found = await startedPhone()
  expect((await recover(found, number)).sort()).toEqual(ids.sort())
  for (const id of ids) {
    expect(await deliveryRow(found.db, id)).toMatchObject({
      account: 'guest',
      known: true,
      view: { status: 'Pending', deliveryCode: expect.stringMatching(/^\d{5}$/) },
    })
    expect(await found.db.guests.get(id)).toMatchObject({
      senderName: 'Ama',
      senderPhone: number,
      guestToken: expect.any(String),
    })
  }
  const [first = '', second = ''] = ids
  await found.commands.cancelDelivery(first)
  await found.settle()
  expect(await server().held(first)).toMatchObject([{ status: 'Cancelled' }])
  expect(await server().held(second)).toMatchObject([{ status: 'Pending' }])

  // The phone that had them before has nothing to prove itself with any more.
  const token = (await lost.db.guests.get(second))?.guestToken
  await expect(server().ask('getDelivery', { id: second, token })).rejects.toMatchObject({
    status: 401,
  })
})

test('R58, R109: what was sent more than a day ago is shown for another day', async () => {
  const number = newNumber()
  const lost = await startedPhone()
  const id = await request(lost, number)
  await lost.settle()
  const day = 24 * 3_600_000
  const found = await startedPhone({ clock: createClock(Date.now() + 3 * day) })
  await recover(found, number)
  const now = Date.now() + 3 * day
  expect(await deliveryRow(found.db, id, now)).not.toBeNull()
  expect(await guestRecord(found.db, now)).toMatchObject({ id })
  expect(await guestRecord(found.db, now + day + 60_000)).toBeNull()
})

test('R56, R109: without deliveries the answer is the same, no SMS is sent, and no code is right', async () => {
  const phone = await startedPhone()
  const [known, unknown] = [newNumber(), newNumber()]
  await request(phone, known)
  await phone.settle()
  const before = server().sms.length
  const other = await startedPhone()
  expect(await other.session.recoverGuest(unknown)).toEqual(await other.session.recoverGuest(known))
  expect(
    server()
      .sms.slice(before)
      .map(({ to }) => to),
  ).toEqual([known])
  const code = server().codeSentTo(known)
  const wrong = code === '000000' ? '000001' : '000000'
  for (const [number, typed] of [
    [unknown, code],
    [known, wrong],
  ] as const)
    await expect(other.session.confirmGuestRecovery(number, typed)).rejects.toMatchObject({
      reason: 'wrong-sms-code',
    })
  expect(await other.db.guests.count()).toBe(0)
  // The right one still is.
  expect(await other.session.confirmGuestRecovery(known, code)).toHaveLength(1)
})

test('R109: without a network it says so at once, and nothing here changes', async () => {
  const phone = await startedPhone()
  const number = newNumber()
  const id = await request(phone, number)
  await phone.settle()
  const before = await phone.db.guests.toArray()
  network().cut()
  for (const call of [
    phone.session.recoverGuest(number),
    phone.session.confirmGuestRecovery(number, '123456'),
  ])
    await expect(call).rejects.toThrow('No connection right now.')
  expect(await phone.db.guests.toArray()).toEqual(before)
  expect(await deliveryRow(phone.db, id)).not.toBeNull()
  expect(await phone.db.outbox.where('state').equals('waiting').count()).toBe(0)
})

test('R109: a request whose answer was lost keeps the recovered token when it is repeated', async () => {
  const number = newNumber()
  const on = createNetwork(server().fetch)
  const phone = await startedPhone({}, on)
  const id = await request(phone, number)
  on.setConditions((_, { path }) => (path.endsWith('/guest/deliveries') ? 'answer lost' : 'fine'))
  await phone.engine.wake()
  expect(await server().held(id)).toHaveLength(1)
  expect((await phone.db.guests.get(id))?.guestToken).toBeUndefined()
  expect(await recover(phone, number)).toEqual([id])
  const token = (await phone.db.guests.get(id))?.guestToken
  on.restore()
  await phone.db.outbox.toCollection().modify({ nextAt: 0 })
  await phone.settle()
  expect(await phone.db.outbox.where('state').equals('done').count()).toBeGreaterThan(0)
  expect((await phone.db.guests.get(id))?.guestToken).toBe(token)
  expect(await server().asGuestOf(phone.db, id)).toMatchObject({ ID: id })
})

test('R216, S89: a guest deletes what their number sent, on the phone too; what others and the outbox have stays', async () => {
  const [number, otherNumber] = [newNumber(), newNumber()]
  let unsent = ''
  const on = createNetwork(async (request) => {
    const response = await server().fetch(request)
    // Its request has arrived meanwhile, and its token comes before the response to the deletion.
    if (unsent && request.url.endsWith('/users/me'))
      await phone.db.guests.update(unsent, { guestToken: 'of the new one' })
    return response
  })
  const phone = await startedPhone({}, on)
  const erased = await request(phone, number, 'Drum')
  const other = await request(phone, otherNumber, 'Flute')
  await phone.settle()
  const erase = async () => {
    await phone.session.recoverGuest(number, true)
    await phone.session.eraseGuest(number, server().codeSentTo(number))
  }
  await expect(erase()).rejects.toMatchObject({ reason: 'open' })
  expect(await deliveryRow(phone.db, erased)).toMatchObject({ known: true })

  await phone.commands.cancelDelivery(erased)
  await phone.settle()
  const rows = async () => {
    const tables = phone.db.tables.filter(({ name }) => name !== 'meta')
    const held = await Promise.all(tables.map((table) => table.toArray()))
    return JSON.stringify(held)
  }
  expect(await rows()).toContain(erased)
  on.setConditions((_, { path }) => (path.endsWith('/guest/deliveries') ? 'request lost' : 'fine'))
  unsent = await request(phone, number, 'Kora')
  await erase()
  for (const each of [erased, 'Drum']) expect(await rows()).not.toContain(each)
  for (const each of [other, 'Flute', unsent]) expect(await rows()).toContain(each)
  const [kept] = await server().held(erased)
  expect(kept).toMatchObject({ status: 'Cancelled' })
  expect(JSON.stringify(kept)).not.toContain(number)
  on.restore()
  await phone.db.outbox.toCollection().modify({ nextAt: 0 })
  await phone.settle()
  expect(await server().held(unsent)).toHaveLength(1)
})

test('S89: a guest’s deletion whose response was lost counts as made when it is asked for again', async () => {
  const number = newNumber()
  const on = createNetwork(server().fetch)
  const phone = await startedPhone({}, on)
  const id = await request(phone, number)
  await phone.settle()
  await phone.commands.cancelDelivery(id)
  await phone.settle()
  await phone.session.recoverGuest(number, true)
  const code = server().codeSentTo(number)
  const lose = (what: 'answer lost' | 'request lost') =>
    on.setConditions((_, { path }) => (path.endsWith('/users/me') ? what : 'fine'))
  const erase = (typed = code) => phone.session.eraseGuest(number, typed)
  lose('request lost')
  await expect(erase()).rejects.toThrow('No connection right now.')
  on.restore()
  // It has not arrived: a wrong code is one.
  await expect(erase(code === '000000' ? '000001' : '000000')).rejects.toMatchObject({
    reason: 'wrong-sms-code',
  })
  lose('answer lost')
  await expect(erase()).rejects.toThrow('No connection right now.')
  on.restore()
  await erase()
  expect(await phone.db.guests.count()).toBe(0)
  expect(await deliveryRow(phone.db, id)).toBeNull()
})
