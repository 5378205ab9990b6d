import { beforeEach, describe, expect, test } from 'vitest'
import type { Entry } from '#store/entries/operations.ts'
import { checkRows } from '#store/maintenance/row-checks.ts'
import * as deliveryQueries from '#store/queries/deliveries.ts'
import * as outboxQueries from '#store/queries/outbox/outbox.ts'
import { guestAccount, type Quarantined } from '#sync/database/engine-db.ts'
import { createDevice, filledDraft, person, signIn } from '../../helpers/device/device.ts'
import { present } from '../../helpers/present.ts'
import { serverOfFile } from '../../sync/server-fixture.ts'

let device: ReturnType<typeof createDevice>
beforeEach(async () => {
  device = createDevice()
  await signIn(device.db, person('ama', 'sender'))
})

const request = async (itemDescription = 'Laptop') =>
  device.commands.requestDelivery(
    await filledDraft(device.commands, { itemDescription }),
    'account',
  )
const entry = (id: string) => device.db.outbox.where('id').equals(id).first()
/** The entry as some version or fault has left it. */
const spoil = (id: string, change: object) =>
  device.db.outbox
    .where('id')
    .equals(id)
    .modify(change as Partial<Entry>)
const aside = () => device.db.setAside.toArray()

const spoiled: [string, object][] = [
  ['an operation this version does not know', { op: 'teleport' }],
  ['an input of another form', { input: { itemDescription: 7 } }],
  ['no input', { input: undefined }],
  ['an input that is a list', { input: [] }],
  ['a version that was never upgraded from', { v: 0 }],
  ['no version', { v: undefined }],
  ['a version that is no number', { v: 'x' }],
  ['a version that is not a number', { v: Number.NaN }],
  ['a state this version does not know', { state: 'levitating' }],
  ['no list of parents', { after: undefined }],
  ['no lane', { lane: undefined }],
  ['no ID', { id: 5 }],
  ['a newer version and no lane', { v: 99, lane: 8 }],
]

describe('S57: a create that is set aside blocks nothing', () => {
  test.each(spoiled)('with %s', async (_, change) => {
    const { db, commands } = device
    const id = await request()
    const photo = present((await entry(id))?.photos[0])
    expect(await deliveryQueries.activeSent(db)).not.toBeNull()
    await spoil(id, change)
    expect(await checkRows(db, 1)).toBe(1)
    expect(await deliveryQueries.activeSent(db)).toBeNull()
    expect(await deliveryQueries.deliveryRow(db, id)).toBeNull()
    const [row] = await aside()
    expect(row?.from).toBe('outbox')
    expect({ ...Object(row?.value), ...change }).toEqual(row?.value)
    expect(await db.photos.get(photo)).toBeDefined()
    expect(await request('Kente')).not.toBe(id)
    expect(await checkRows(db, 2)).toBe(0)
    await commands.forgetSetAside(present((await aside())[0]?.id))
  })
})

test('S57: what depends on an entry that is set aside is refused, with the reason', async () => {
  const { db, commands } = device
  const id = await request()
  await spoil(id, { left: true })
  await commands.discard(id)
  const upload = present((await entry(id))?.after[0])
  await spoil(upload, { op: 'teleport' })
  await checkRows(db, 1)
  expect(await entry(id)).toMatchObject({
    state: 'refused',
    error: { reason: 'skipped', because: upload },
  })
  expect(await db.outbox.where('state').equals('waiting').count()).toBe(0)
  expect(await deliveryQueries.activeSent(db)).toBeNull()
})

test('S57: a row that an earlier version of the app left blocked is free at the next start', async () => {
  const { db } = device
  const id = await request()
  await db.outbox.where('id').equals(id).delete()
  expect(await deliveryQueries.activeSent(db)).not.toBeNull()
  await checkRows(db, 1)
  expect(await deliveryQueries.activeSent(db)).toBeNull()
})

test('S57: a row that is set aside comes again from its entries, and its lists come whole', async () => {
  const { db } = device
  const id = await request()
  await db.pulls.put({ account: 'ama', list: 'sent', cursor: 'c', etag: 'e', at: 1 })
  await db.deliveries.update(['ama', id], { view: { status: 7 } } as never)
  expect(await checkRows(db, 1)).toBe(1)
  expect(await deliveryQueries.deliveryRow(db, id)).toMatchObject({
    known: false,
    marks: [{ entry: id }],
  })
  expect(await db.pulls.count()).toBe(0)
})

test.each(['zones', 'items'] as const)(
  'S57: %s that cannot be read come whole again',
  async (list) => {
    const { db } = device
    await db.pulls.put({ account: '', list, etag: 'e', at: 1 })
    await db.table(list).put({ ID: 'a', Name: 7 })
    expect(await checkRows(db, 1)).toBe(1)
    expect(await db.pulls.count()).toBe(0)
  },
)

test('S57: an entry of a newer version stays in the queue, and the form of this one is free', async () => {
  const { db } = device
  const id = await request()
  await spoil(id, { v: 99, input: { whatever: 'it asks for' } })
  expect(await checkRows(db, 1)).toBe(0)
  expect(await entry(id)).toMatchObject({
    v: 99,
    state: 'waiting',
    input: { whatever: 'it asks for' },
  })
  expect(await deliveryQueries.activeSent(db)).toBeNull()
  await request('Kente')
  expect(await checkRows(db, 2)).toBe(0)
  expect((await outboxQueries.outbox(db)).map(({ title }) => title)).toContain('Laptop')
})

test('S57: after the update the row of that entry is there again', async () => {
  const { db } = device
  const id = await request()
  await spoil(id, { v: 99 })
  await checkRows(db, 1)
  expect(await deliveryQueries.deliveryRow(db, id)).toBeNull()
  await spoil(id, { v: 2 })
  await checkRows(db, 2)
  expect(await deliveryQueries.deliveryRow(db, id)).toMatchObject({
    known: false,
    active: 'delivery',
  })
})

test('S57, S38: the photo of a row that is set aside stays through a logout that keeps what is unsent', async () => {
  const { db, commands } = device
  const id = await request()
  const photo = present((await entry(id))?.photos[0])
  await spoil(id, { op: 'teleport' })
  await checkRows(db, 1)
  const { signOut } = await import('#store/account/sign-in.ts')
  const at = { db, clock: { now: () => 1 }, cachePrefix: '' }
  await commands.discard(present((await outboxQueries.outbox(db))[0]?.id))
  await signOut(at, 'ama')
  expect(await db.photos.get(photo)).toBeDefined()
  await signOut(at, 'ama', { unsent: 'discard' })
  expect(await db.photos.get(photo)).toBeUndefined()
  expect(await aside()).toEqual<Quarantined[]>([])
})

const { server, network, startedPhone } = serverOfFile()

test('S57, S4: nothing that follows an entry of a newer version is sent ahead of it, and the rest is sent', async () => {
  network().cut()
  const phone = await startedPhone()
  const held = await phone.commands.requestDelivery(
    await filledDraft(phone.commands, { itemDescription: 'Held' }),
    'guest',
  )
  await phone.db.outbox.where('id').equals(held).modify({ left: true, v: 99 })
  await phone.commands.discard(held).catch(() => undefined)
  const free = await phone.commands.requestDelivery(
    await filledDraft(phone.commands, { itemDescription: 'Free' }),
    'guest',
  )
  network().restore()
  for (let round = 0; round < 3; round++) await phone.engine.wake()
  expect(await server().held(held)).toEqual([])
  expect(await server().held(free)).toHaveLength(1)
  const left = await phone.db.outbox.where('[account+lane]').equals([guestAccount, held]).toArray()
  expect(left.map(({ state }) => state)).not.toContain('done')
})
