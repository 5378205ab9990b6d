import { Dexie } from 'dexie'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { mergeFromServer } from '#store/deliveries/projection.ts'
import { checkRows } from '#store/maintenance/row-checks.ts'
import * as deliveryQueries from '#store/queries/deliveries.ts'
import * as queries from '#store/queries/queries.ts'
import { SomaDb } from '#store/soma-db.ts'
import { deliveryOf } from '../../helpers/device/context.ts'
import { createDevice, filledDraft, person, signIn } from '../../helpers/device/device.ts'

/** The tables as the release before wrote them. */
const versionTwo = {
  deliveries:
    '[account+ID], [account+sentAt], [account+jobAt], [account+openAt], [account+adminAt], [account+active]',
  outbox: '++seq, &id, state, [account+state], [account+lane], [account+unseen]',
  photos: 'id, account',
  drafts: '[account+kind]',
  sessions: 'key',
  guests: 'id',
  aliases: '[account+local]',
  zones: 'ID',
  items: 'ID',
  users: '[account+ID]',
  drivers: '[account+ID], [account+Status]',
  disputes: '[account+ID]',
  activities: '[account+ID], [account+CreatedAt]',
  stats: 'account',
  pulls: '[account+list]',
  setAside: '++id',
  meta: 'key',
  pages: '[account+list+query], [account+at]',
  trends: 'account',
}

/** A phone with a queue, written through the app and copied as the release before would have it. */
async function phoneOfTheReleaseBefore() {
  const { db: now, commands } = createDevice()
  await signIn(now, person('ama', 'sender'))
  const sent = await commands.requestDelivery(await filledDraft(commands), 'account')
  await commands.saveDraft(await filledDraft(commands, { itemDescription: 'Typed' }))
  await now.zones.add({ ID: 'z', Name: 'Osu' })
  await now.meta.put({ key: 'lastSyncAt', value: 7 })
  await now.photos.toCollection().modify((photo) => {
    delete photo.redrawn
  })
  const before = new Dexie(`before-${v7()}`)
  before.version(2).stores(versionTwo)
  const kept: Record<string, unknown[]> = {}
  for (const name of Object.keys(versionTwo)) {
    kept[name] = await now.table(name).toArray()
    await before.table(name).bulkAdd(kept[name])
  }
  // That release did not note that a photo's upload belongs to its request.
  await before
    .table('outbox')
    .toCollection()
    .modify((entry) => {
      delete entry.isPart
    })
  before.close()
  now.close()
  return { name: before.name, kept, sent }
}

test('a phone of the release before keeps every row, and its queue goes on', async () => {
  const { name, kept, sent } = await phoneOfTheReleaseBefore()
  expect(kept.outbox).toHaveLength(2)
  expect(kept.photos).toHaveLength(2)
  const db = new SomaDb(name)
  for (const [table, rows] of Object.entries(kept))
    expect(await db.table(table).toArray(), table).toEqual(rows)
  expect(await checkRows(db, 1)).toBe(0)
  expect(await queries.outboxSummary(db)).toMatchObject({ unsent: 1, refused: 0, quarantined: 0 })
  expect(await queries.draft(db)).toMatchObject({ itemDescription: 'Typed' })
  expect(await deliveryQueries.deliveryRow(db, sent)).toMatchObject({
    known: false,
    marks: [{ state: 'waiting' }],
  })
  for (const table of ['ownSessions', 'audit', 'revocations'])
    expect(await db.table(table).count()).toBe(0)
  db.close()
})

test('R29, R30: a job and a delivery whose end waits in the queue of an earlier release are active again', async () => {
  const { db: now, commands } = createDevice()
  const kofi = person('kofi', 'driver', { driverStatus: 'approved' })
  await signIn(now, kofi)
  const contact = { id: 'kofi', name: 'Kofi', phone: '0244000000' }
  const rows = [
    deliveryOf('job', { status: 'Picked Up', driver: contact } as never),
    deliveryOf('sent', { status: 'Delivered', sender: contact } as never),
    deliveryOf('other', { status: 'Delivered', driver: contact } as never),
  ]
  await now.transaction('rw', now.tables, async () => mergeFromServer(now, 'kofi', rows, {}))
  await commands.completeDelivery('job', '12345')
  await commands.approveDelivery('sent')
  const before = new Dexie(`before-${v7()}`)
  before
    .version(4)
    .stores({ ...versionTwo, deliveries: `${versionTwo.deliveries}, [account+aheadAt]` })
  for (const name of ['outbox', 'sessions', 'deliveries'])
    await before.table(name).bulkAdd(await now.table(name).toArray())
  await before.table('deliveries').toCollection().modify({ active: undefined })
  before.close()
  now.close()
  const db = new SomaDb(before.name)
  expect((await deliveryQueries.activeJob(db))?.ID).toBe('job')
  const active = await db.deliveries.toArray()
  expect(active.map(({ ID, active }) => [ID, active]).sort()).toEqual([
    ['job', 'job'],
    ['other', undefined],
    ['sent', 'delivery'],
  ])
  db.close()
})

/** The tables of the release before places (R112). */
const versionFive = {
  ...versionTwo,
  outbox: `${versionTwo.outbox}, [account+isPart+state]`,
  deliveries: `${versionTwo.deliveries}, [account+aheadAt], [account+unseen]`,
  disputes: '[account+ID], [account+DeliveryID]',
  revocations: '++id',
  ownSessions: '[account+id]',
  audit: '[account+ID]',
  devices: '[account+code]',
}

test('R112: a phone of the release before places keeps every row, and takes places', async () => {
  const { db: now, commands } = createDevice()
  await signIn(now, person('ama', 'sender'))
  const sent = await commands.requestDelivery(await filledDraft(commands), 'account')
  await commands.saveDraft(await filledDraft(commands, { itemDescription: 'Typed' }))
  const before = new Dexie(`before-${v7()}`)
  before.version(5).stores(versionFive)
  const kept: Record<string, unknown[]> = {}
  for (const name of Object.keys(versionFive)) {
    kept[name] = await now.table(name).toArray()
    await before.table(name).bulkAdd(kept[name])
  }
  before.close()
  now.close()
  const { db, commands: next } = createDevice(before.name)
  for (const [table, rows] of Object.entries(kept))
    expect(await db.table(table).toArray(), table).toEqual(rows)
  expect(await checkRows(db, 1)).toBe(0)
  expect(await deliveryQueries.deliveryRow(db, sent)).toMatchObject({ known: false })
  const draft = { ...(await filledDraft(next)), pickupPlace: { text: 'Blue gate' } }
  await next.requestDelivery(draft, 'guest')
  expect(await db.places.toArray()).toMatchObject([{ account: 'ama', zone: 'Osu' }])
  db.close()
})
