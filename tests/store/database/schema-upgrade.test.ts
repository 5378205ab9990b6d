import { Dexie } from 'dexie'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import * as deliveryQueries from '#store/queries/deliveries.ts'
import * as queries from '#store/queries/queries.ts'
import { checkRows } from '#store/row-checks.ts'
import { SomaDb } from '#store/soma-db.ts'
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
  expect(await queries.outboxSummary(db)).toMatchObject({ unsent: 2, refused: 0, quarantined: 0 })
  expect(await queries.draft(db)).toMatchObject({ itemDescription: 'Typed' })
  expect(await deliveryQueries.deliveryRow(db, sent)).toMatchObject({
    known: false,
    marks: [{ state: 'waiting' }],
  })
  for (const table of ['ownSessions', 'audit', 'revocations'])
    expect(await db.table(table).count()).toBe(0)
  db.close()
})
