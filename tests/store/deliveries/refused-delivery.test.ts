import { afterEach, beforeEach, expect, test } from 'vitest'
import { noteRefusedDelivery } from '#store/deliveries/save/refused-delivery.ts'
import { getState } from '#sync/database/device/state.ts'
import { deliveryOf, saveRows } from '../../helpers/device/context.ts'
import { createDevice, person, signIn } from '../../helpers/device/device.ts'

const esi = { id: 'esi', name: 'Esi', phone: '0244000001' }
let db: ReturnType<typeof createDevice>['db']
let now = 1_000_000
const clock = { now: () => now, monotonic: () => now }

beforeEach(async () => {
  db = createDevice().db
  now = 1_000_000
  await signIn(db, person('kofi', 'driver', { driverStatus: 'approved' }))
  await saveRows(db, 'kofi', [deliveryOf('d1', { sender: esi })], { serverAt: now - 60_000 })
  await db.pulls.bulkPut(
    ['available', 'jobs', 'me'].map((list) => ({ account: 'kofi', list, at: 1, cursor: 'c' })),
  )
})
afterEach(() => db.close())

const refuse = (account = 'kofi') => noteRefusedDelivery(db, account, 'd1', clock)
const isHeld = async () => (await db.deliveries.get(['kofi', 'd1'])) !== undefined
const cursors = async () =>
  (await db.pulls.toArray()).flatMap(({ list, cursor }) => (cursor ? [list] : []))

test('S49: a row leaves the phone with the second refusal, five seconds after the first, and its lists are asked for in full', async () => {
  await refuse()
  expect(await isHeld()).toBe(true)
  now += 4_999
  await refuse()
  expect(await isHeld()).toBe(true)
  expect(await cursors()).toEqual(['available', 'jobs', 'me'])
  expect(await getState(db, 'gone:kofi:d1')).toBeUndefined()
  now += 1
  await refuse()
  expect(await isHeld()).toBe(false)
  expect(await cursors()).toEqual(['me'])
  expect(await getState(db, 'gone:kofi:d1')).toBe(now)
  expect(await getState(db, 'refused:kofi:d1')).toBeUndefined()
})

test('S49: a first refusal from a time to come, before a restart, is no first', async () => {
  await refuse()
  now -= 3_600_000
  await refuse()
  expect(await isHeld()).toBe(true)
  now += 4_000
  await refuse()
  expect(await isHeld()).toBe(true)
  now += 1_000
  await refuse()
  expect(await isHeld()).toBe(false)
})

test('S38: what is refused to somebody who has logged out leaves nothing behind', async () => {
  await refuse('ama')
  expect(await getState(db, 'gone:ama:d1')).toBeUndefined()
})

test('S36: a delivery that this phone never held is gone at once', async () => {
  await noteRefusedDelivery(db, 'kofi', 'd2', clock)
  expect(await getState(db, 'gone:kofi:d2')).toBe(now)
})
