import { expect, test } from 'vitest'
import { deleteOldGuests } from '#store/account/guest-records.ts'
import { rowVersion } from '#store/deliveries/row-schema.ts'
import { noteMoved } from '#store/deliveries/save/refused-delivery.ts'
import * as deliveryQueries from '#store/queries/deliveries.ts'
import * as queries from '#store/queries/queries.ts'
import { room } from '#store/queries/room.ts'
import { approvedByGuest } from '#store/queries/under-way.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import { deliveryOf, saveRows } from '../../helpers/device/context.ts'
import { createDevice, filledDraft } from '../../helpers/device/device.ts'
import { createClock, type Phone } from '../../helpers/device/phone.ts'
import { serverOfFile } from '../../sync/server-fixture.ts'

const { server, network, startedPhone } = serverOfFile()
const hour = 3_600_000
const day = 24 * hour

async function phoneOfGuest(clock = createClock()) {
  const phone = await startedPhone({ clock })
  const id = await phone.commands.requestDelivery(await filledDraft(phone.commands), 'guest')
  await phone.settle()
  return { phone, id, clock }
}

const isShown = async (phone: Phone, id: string, clock: { now: () => number }) =>
  (await queries.guestRecord(phone.db, clock.now()))?.id === id &&
  (await deliveryQueries.deliveryRow(phone.db, id, clock.now()))?.view.deliveryCode !== undefined

test.each([['a month', 30 * day]])(
  'S55, R58: a clock that jumps by %s and back leaves a guest the record, the code and the token',
  async (_, jump) => {
    const { phone, id, clock } = await phoneOfGuest()
    expect(await isShown(phone, id, clock)).toBe(true)
    clock.pass(jump)
    await phone.settle()
    await phone.settle()
    expect(await queries.guestRecord(phone.db, clock.now())).toBeNull()
    clock.pass(60_000 - jump)
    await phone.settle()
    expect(await isShown(phone, id, clock)).toBe(true)
    expect((await phone.db.guests.get(id))?.guestToken).toBeDefined()
  },
)

test('S55, R58: on a phone whose clock is always two days ahead, a guest sees the delivery for a day', async () => {
  const { phone, id, clock } = await phoneOfGuest(createClock(Date.now() + 2 * day))
  expect(await isShown(phone, id, clock)).toBe(true)
  clock.pass(23 * hour)
  await phone.settle()
  expect(await isShown(phone, id, clock)).toBe(true)
  clock.pass(2 * hour)
  expect(await queries.guestRecord(phone.db, clock.now())).toBeNull()
})

test('S55, R58: a hidden record goes once the server says that its delivery has ended', async () => {
  const { phone, id, clock } = await phoneOfGuest()
  clock.pass(25 * hour)
  await phone.settle()
  expect(await phone.db.guests.get(id)).toBeDefined()
  await server().ask('changeStatus', {
    id,
    token: server().admin.token,
    body: { status: 'Cancelled' },
  })
  clock.pass(2 * hour)
  await phone.settle()
  await phone.settle()
  expect(await phone.db.guests.get(id)).toBeUndefined()
  expect(await phone.db.deliveries.get(['guest', id])).toBeUndefined()
})

test('S55: a hidden record goes while its token is refused, and not once it was taken again', async () => {
  const { phone, id, clock } = await phoneOfGuest()
  clock.pass(25 * hour)
  const isThere = async () => {
    await deleteOldGuests(phone.db, clock.now())
    return (await phone.db.guests.get(id)) !== undefined
  }
  await noteMoved(phone.db, id, true)
  await noteMoved(phone.db, id, false)
  expect(await isThere()).toBe(true)
  await noteMoved(phone.db, id, true)
  expect(await isThere()).toBe(false)
})

test('S55: the delivery of a hidden record is asked for once an hour, whichever way the clock was set', async () => {
  const { phone, id, clock } = await phoneOfGuest()
  const asked = () => network().passed.filter(({ path }) => path === `/api/deliveries/${id}`).length
  clock.pass(40 * day)
  await phone.settle()
  const before = asked()
  for (const minutes of [1, 1, 18, 30]) {
    clock.pass(minutes * 60_000)
    await phone.settle()
  }
  expect(asked() - before).toBe(0)
  clock.pass(15 * 60_000)
  await phone.settle()
  expect(asked() - before).toBe(1)
})

test.each<[string, object | undefined, object, boolean]>([
  ['is over', { status: 'Approved' }, {}, false],
  ['is under way', { status: 'Delivered' }, {}, true],
  ['is over, with something pending', { status: 'Cancelled', marks: 1 }, {}, true],
  ['has not reached the server', { status: 'Pending', known: false }, {}, true],
  ['is not on this phone, with a token', undefined, { guestToken: 't' }, true],
  ['is not on this phone, and nothing of it is queued', undefined, {}, false],
])('S55: a hidden record whose delivery %s', async (_, row, record, stays) => {
  const { db } = createDevice()
  const made = { senderName: 'Ama', senderPhone: '0244000000', createdAt: '2026-11-21T10:00:00Z' }
  await db.guests.put({ ...made, id: 'd1', ...record })
  if (row) {
    const { status, known = true, marks = 0 } = row as Record<string, never>
    await db.deliveries.put({
      v: rowVersion,
      account: 'guest',
      ID: 'd1',
      view: deliveryOf('d1', { status, isGuestDelivery: true }),
      known,
      marks: Array.from({ length: marks }, () => ({ entry: 'e', op: 'x', state: 'waiting' })),
    } as never)
  }
  const at = Date.parse(made.createdAt)
  await deleteOldGuests(db, at + 23 * hour)
  expect(await db.guests.count()).toBe(1)
  await deleteOldGuests(db, at + 25 * hour)
  expect(await db.guests.count()).toBe(stays ? 1 : 0)
  expect(await db.deliveries.count()).toBe(row && stays ? 1 : 0)
})

test('R58: a record ends with its guest’s approval on this phone; what ended otherwise opens as before', async () => {
  const { db, commands } = createDevice()
  const now = new Date().toISOString()
  const record = { senderName: 'Ama', senderPhone: '0244000000', createdAt: now, guestToken: 't' }
  await db.guests.bulkPut(['here', 'elsewhere'].map((id) => ({ ...record, id })))
  const delivered = { isGuestDelivery: true, status: 'Delivered' as const }
  await saveRows(db, guestAccount, [
    deliveryOf('here', delivered),
    deliveryOf('elsewhere', { ...delivered, status: 'Approved' }),
  ])
  expect(await room(db, 'here')).toMatchObject({ isEnding: false })
  await commands.approveDelivery('here')
  expect(await room(db, 'here')).toMatchObject({ isEnding: true })
  expect(await room(db, 'elsewhere')).toMatchObject({ isEnding: false })
  await commands.forgetGuestRecord('here')
  expect((await queries.guestRecord(db))?.id).toBe('elsewhere')
})

test('R58: a guest’s approval, its mark and their rating are stored together, or nothing of them is', async () => {
  const { db, commands } = createDevice()
  const createdAt = new Date().toISOString()
  await db.guests.put({ id: 'd1', senderName: 'Ama', senderPhone: '0244000000', createdAt })
  const driver = { id: 'kofi', name: 'Kofi', phone: '0244000001' }
  const delivered = deliveryOf('d1', { isGuestDelivery: true, status: 'Delivered', driver })
  await saveRows(db, guestAccount, [delivered])
  const approve = () => commands.approveDelivery('d1', { stars: 4 })
  const stored = async () => {
    const entries = await db.outbox.toArray()
    return [entries.map(({ op }) => op), (await db.guests.get('d1'))?.isApproved]
  }
  const fail = () => {
    throw new Error('no room')
  }
  const failRating = (_: unknown, { op }: { op: string }) => {
    if (op === 'rateDelivery') fail()
  }
  db.guests.hook('updating').subscribe(fail)
  await expect(approve()).rejects.toThrow('no room')
  expect(await stored()).toEqual([[], undefined])
  db.guests.hook('updating').unsubscribe(fail)
  db.outbox.hook('creating').subscribe(failRating as never)
  await expect(approve()).rejects.toThrow('no room')
  expect(await stored()).toEqual([[], undefined])
  db.outbox.hook('creating').unsubscribe(failRating as never)
  await approve()
  expect(await stored()).toEqual([['approveDelivery', 'rateDelivery'], true])

  // The page is closed before they have arrived: the next one ends the record, on whichever screen.
  expect(await approvedByGuest(db)).toEqual([])
  await db.outbox.clear()
  await saveRows(db, guestAccount, [
    { ...delivered, status: 'Approved', updatedAt: '2026-11-21T11:00:00.000Z' },
  ])
  expect(await approvedByGuest(db)).toEqual(['d1'])
  await commands.forgetGuestRecord('d1')
  expect(await approvedByGuest(db)).toEqual([])
})
