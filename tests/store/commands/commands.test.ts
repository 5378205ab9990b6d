import { beforeEach, describe, expect, test } from 'vitest'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { mergeFromServer } from '#store/deliveries/projection.ts'
import { adminDrivers } from '#store/queries/admin/admin.ts'
import { changedZones } from '#store/queries/admin/zones.ts'
import * as deliveryQueries from '#store/queries/deliveries.ts'
import * as lists from '#store/queries/lists.ts'
import * as outboxQueries from '#store/queries/outbox/outbox.ts'
import * as queries from '#store/queries/queries.ts'
import { createDevice, filledDraft, person, signIn } from '../../helpers/device/device.ts'
import { onWrite } from '../../helpers/device/writes.ts'
import { present } from '../../helpers/present.ts'

let device: ReturnType<typeof createDevice>
beforeEach(() => {
  device = createDevice()
})

const driver = person('kofi', 'driver', { driverStatus: 'approved' })

const job = (ID: string, change: Partial<Delivery> = {}): Delivery => ({
  ID,
  status: 'Pending',
  itemDescription: 'Box',
  pickupZone: 'Osu',
  dropoffZone: 'Tema',
  offer: 20,
  isGuestDelivery: false,
  createdAt: '2026-11-21T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
  ...change,
})

const acceptedBy = (ID: string): Partial<Delivery> => ({
  status: 'Accepted',
  driver: { id: ID, name: ID },
})

const entries = () => device.db.outbox.orderBy('seq').toArray()
const entryOf = async (op: string) => {
  const entry = present((await entries()).findLast((each) => each.op === op))
  return entry
}

describe('asking for a delivery without a network', () => {
  test('S2: writes the row, the photo’s upload, the create and the guest record together', async () => {
    const { db, commands } = device
    const id = await commands.requestDelivery(await filledDraft(commands), 'guest')
    const row = await deliveryQueries.deliveryRow(db, id)
    expect(row).toMatchObject({ known: false, view: { ID: id, status: 'Pending', offer: 60 } })
    const [upload, create] = await entries()
    expect(upload).toMatchObject({ op: 'uploadPhoto', state: 'waiting' })
    expect(create).toMatchObject({ op: 'createGuestDelivery', id, lane: id, after: [upload?.id] })
    expect(await queries.guestRecord(db)).toMatchObject({ id, senderName: 'Ama' })
    expect(await queries.draft(db)).toBeNull()
  })

  test('R21: an offer that is typed as 2,500 is one of 2,500 cedis', async () => {
    const { db, commands } = device
    const draft = await filledDraft(commands, { offer: '2,500' })
    const id = await commands.requestDelivery(draft, 'guest')
    expect((await deliveryQueries.deliveryRow(db, id))?.view.offer).toBe(2500)
    expect((await entryOf('createGuestDelivery')).input).toMatchObject({ offer: 2500 })
  })

  test('S2: writes nothing at all when one part fails', async () => {
    const { db, commands } = device
    const draft = await filledDraft(commands)
    for (const part of ['outbox', 'deliveries', 'guests']) {
      const stop = onWrite(db, ({ table }) => {
        if (table === part) throw new DOMException('The disk is full', 'DataError')
      })
      await expect(commands.requestDelivery(draft, 'guest')).rejects.toThrow()
      stop()
      expect(await entries()).toEqual([])
      expect(await db.deliveries.count()).toBe(0)
      expect(await db.guests.count()).toBe(0)
    }
  })

  test('is refused at once with what is wrong', async () => {
    const { commands } = device
    const draft = await filledDraft(commands, { dropoffZone: 'Osu' })
    await expect(commands.requestDelivery(draft, 'guest')).rejects.toMatchObject({
      message: 'Pickup and drop-off zones cannot be the same.',
    })
    expect(await entries()).toEqual([])
  })

  test('S32: can be taken back before it leaves, and leaves no trace but its history', async () => {
    const { db, commands } = device
    const id = await commands.requestDelivery(await filledDraft(commands), 'guest')
    await commands.cancelDelivery(id)
    expect(await deliveryQueries.deliveryRow(db, id)).toBeNull()
    expect(await queries.guestRecord(db)).toBeNull()
    expect((await entryOf('createGuestDelivery')).state).toBe('cancelled')
    expect((await queries.outboxSummary(db)).unsent).toBe(0)
  })

  test('S81: deletes its own draft, and none that was typed in another tab since', async () => {
    const { db, commands } = device
    const draft = await filledDraft(commands)
    await commands.saveDraft(draft)
    const typedBeside = { ...draft, itemDescription: 'Drum' }
    await commands.saveDraft(typedBeside)
    await commands.requestDelivery(draft, 'guest')
    expect(await queries.draft(db)).toEqual(typedBeside)
    await commands.requestDelivery(typedBeside, 'guest')
    expect(await queries.draft(db)).toBeNull()
  })

  test('S32, R160: can be put back into the form, with its photo and what was said of the item', async () => {
    const { db, commands } = device
    const details = { note: 'Keep it dry', size: 'large', fragile: true } as const
    const draft = await filledDraft(commands, details)
    const id = await commands.requestDelivery(draft, 'guest')
    expect((await deliveryQueries.deliveryRow(db, id))?.view).toMatchObject(details)
    await commands.editAndResend(id)
    expect(await queries.draft(db)).toEqual(draft)
    expect(await deliveryQueries.deliveryRow(db, id)).toBeNull()
    expect((await queries.outboxSummary(db)).unsent).toBe(0)
  })

  test('R169: its raised offer depends on it: back in the form it is the offer, and taken back it goes too', async () => {
    const { db, commands } = device
    const draft = await filledDraft(commands)
    const id = await commands.requestDelivery(draft, 'guest')
    await commands.raiseOffer(id, 65.5)
    expect((await deliveryQueries.deliveryRow(db, id))?.view).toMatchObject({ offer: 65.5 })
    expect(await entryOf('raiseOffer')).toMatchObject({ lane: id, after: [id] })
    await expect(commands.raiseOffer(id, 65.5)).rejects.toThrow('It can only go up')
    await commands.editAndResend(id)
    expect(await queries.draft(db)).toEqual({ ...draft, offer: '65.5' })
    expect((await queries.outboxSummary(db)).unsent).toBe(0)

    const other = await commands.requestDelivery(await filledDraft(commands), 'guest')
    await commands.raiseOffer(other, 70)
    await commands.cancelDelivery(other)
    expect((await queries.outboxSummary(db)).unsent).toBe(0)
  })
})

describe('a driver without a network', () => {
  beforeEach(async () => {
    await signIn(device.db, driver)
    await mergeFromServer(device.db, driver.ID, [job('d1')], {})
    await mergeFromServer(device.db, driver.ID, [job('d2')], {})
  })

  test('S6: sees a job asked for as asked for, while the server’s status stays what it was', async () => {
    const { db, commands } = device
    await commands.acceptDelivery('d1')
    const row = await deliveryQueries.deliveryRow(db, 'd1')
    expect(row?.view.status).toBe('Accepted')
    expect(row?.server?.status).toBe('Pending')
    expect(row?.marks).toMatchObject([{ op: 'acceptDelivery', state: 'waiting' }])
    expect(await lists.jobs(db)).toEqual([])
    expect((await lists.available(db)).map((each) => each.ID)).toContain('d1')
  })

  test('S3: goes on with a job asked for, step by step, in one lane', async () => {
    const { db, commands } = device
    await commands.acceptDelivery('d1')
    await commands.pickUpDelivery('d1')
    await commands.completeDelivery('d1', '12345')
    expect((await deliveryQueries.deliveryRow(db, 'd1'))?.view.status).toBe('Picked Up')
    expect((await entries()).map(({ op, lane }) => [op, lane])).toEqual([
      ['acceptDelivery', 'd1'],
      ['pickUpDelivery', 'd1'],
      ['completeDelivery', 'd1'],
    ])
  })

  test('cannot skip a step', async () => {
    await expect(device.commands.pickUpDelivery('d1')).rejects.toMatchObject({
      reason: 'not-allowed',
    })
    expect(await entries()).toEqual([])
  })

  test('S15: takes back an accept, and the row falls back to what the server says', async () => {
    const { db, commands } = device
    const entry = await commands.acceptDelivery('d1')
    await commands.discard(entry)
    expect(await deliveryQueries.deliveryRow(db, 'd1')).toMatchObject({
      view: { status: 'Pending' },
      marks: [],
    })
    await commands.acceptDelivery('d2')
  })

  test('filters by route, and sees neither jobs of theirs nor of others there', async () => {
    const { db } = device
    await mergeFromServer(db, driver.ID, [job('d3', { pickupZone: 'Circle' })], {})
    await mergeFromServer(db, driver.ID, [job('d4', acceptedBy('kofi'))], {})
    const ids = async (route = {}) => (await lists.available(db, route)).map((row) => row.ID).sort()
    expect(await ids()).toEqual(['d1', 'd2', 'd3'])
    expect(await ids({ pickupZone: 'Circle', dropoffZone: 'Tema' })).toEqual(['d3'])
    expect((await lists.jobs(db)).map((row) => row.ID)).toEqual(['d4'])
  })
})

test('Asked for by a guest on a driver’s phone, it stays the guest’s, and the driver may carry it', async () => {
  const { db, commands } = device
  await signIn(db, driver)
  const id = await commands.requestDelivery(await filledDraft(commands), 'guest')
  await mergeFromServer(
    db,
    'guest',
    [job(id, { isGuestDelivery: true, deliveryCode: '12345' })],
    {},
  )
  await db.outbox.clear()
  await mergeFromServer(db, driver.ID, [job(id, { isGuestDelivery: true })], {})
  expect(await deliveryQueries.deliveryRow(db, id)).toMatchObject({
    account: 'guest',
    view: { deliveryCode: '12345' },
  })
  await commands.reportIssue(id, 'Too slow')
  expect(await entryOf('reportIssue')).toMatchObject({ account: 'guest' })
  expect((await lists.available(db)).map(({ ID }) => ID)).toEqual([id])
  await commands.acceptDelivery(id)
  expect(await entryOf('acceptDelivery')).toMatchObject({ account: driver.ID })
  expect(await deliveryQueries.deliveryRow(db, id)).toMatchObject({ account: driver.ID })
})

test('S4: whoever only asked to carry it reports once the job is theirs, and a stranger not at all', async () => {
  const { db, commands } = device
  await signIn(db, driver)
  await mergeFromServer(db, driver.ID, [job('d1')], {})
  await expect(commands.reportIssue('d1', 'Odd')).rejects.toMatchObject({ reason: 'not-allowed' })
  const accept = await commands.acceptDelivery('d1')
  await commands.reportIssue('d1', 'Odd')
  expect(await entryOf('reportIssue')).toMatchObject({ after: [accept] })
})

describe('S8: another person on the same phone', () => {
  test('sees nothing of the first', async () => {
    const { db, commands } = device
    await signIn(db, driver)
    await mergeFromServer(db, driver.ID, [job('d1')], {})
    await commands.acceptDelivery('d1')
    await signIn(db, person('yaw', 'driver', { driverStatus: 'approved' }))
    expect(await deliveryQueries.deliveryRow(db, 'd1')).toBeNull()
    expect(await lists.available(db)).toEqual([])
    expect(await outboxQueries.outbox(db)).toEqual([])
    expect((await queries.outboxSummary(db)).unsent).toBe(0)
  })
})

describe('an admin without a network', () => {
  test('sees a decision as being made, and a name twice is refused', async () => {
    const { db, commands } = device
    await signIn(db, person('root', 'admin'))
    await db.drivers.put({
      account: 'root',
      ID: 'esi',
      Status: 'pending',
      User: { Name: 'Esi', Email: 'e@x' },
    })
    await db.zones.put({ ID: 'z1', Name: 'Osu' })
    await commands.reviewDriver('esi', 'approved')
    expect(await adminDrivers(db)).toMatchObject([{ ID: 'esi', deciding: 'approved' }])
    await expect(commands.addZone(' OSU ')).rejects.toMatchObject({ reason: 'name-taken' })
  })

  test('R165: gives a zone its centre and roads, in the order of its changes', async () => {
    const { db, commands } = device
    await signIn(db, person('root', 'admin'))
    await db.zones.put({ ID: 'z1', Name: 'Osu' })
    const roads = [{ to: 'Tema', km: 12 }]
    await commands.changeZone('z1', { lat: 5.55, lng: -0.18 })
    await commands.changeZone('z1', { roads })
    await expect(commands.changeZone('z2', { roads })).rejects.toMatchObject({
      reason: 'not-found',
    })
    // The newest first.
    expect(await outboxQueries.outbox(db)).toMatchObject([
      { op: 'changeZone', lane: 'choice:z1', input: { id: 'z1', roads } },
      { op: 'changeZone', lane: 'choice:z1', title: 'Osu', input: { id: 'z1', lat: 5.55 } },
    ])
    // The screen shows the zones as they will be.
    expect(await changedZones(db)).toMatchObject([{ ID: 'z1', lat: 5.55, isUnsent: true }])
    await db.zones.put({ ID: 'z3', Name: 'Tema' })
    expect(await changedZones(db)).toMatchObject([
      { ID: 'z1', lat: 5.55, lng: -0.18, roads, isUnsent: true },
      { ID: 'z3', roads: [{ to: 'Osu', km: 12 }] },
    ])
  })
})
