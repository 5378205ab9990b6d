import { Dexie } from 'dexie'
import { v7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { checkRows } from '#store/maintenance/row-checks.ts'
import * as deliveryQueries from '#store/queries/deliveries.ts'
import * as queries from '#store/queries/queries.ts'
import { SomaDb } from '#store/soma-db.ts'
import { problemOf } from '#sync/database/connection/opening-problem.ts'
import { deliveryOf, saveRows } from '../../helpers/device/context.ts'
import { createDevice, filledDraft, person, signIn } from '../../helpers/device/device.ts'

/*
 * Every schema that was ever released, as phones hold it: what a version added or changed. A released line is never
 * changed here; a new version of the schema is one more.
 */
const queue = '++seq, &id, state, [account+state], [account+lane], [account+unseen]'
const rows =
  '[account+ID], [account+sentAt], [account+jobAt], [account+openAt], [account+adminAt], [account+active]'
const released: Record<string, string>[] = [
  {
    outbox: queue,
    sessions: 'key',
    aliases: '[account+local]',
    pulls: '[account+list]',
    setAside: '++id',
    meta: 'key',
    deliveries: rows,
    photos: 'id, account',
    drafts: '[account+kind]',
    guests: 'id',
    zones: 'ID',
    items: 'ID',
    users: '[account+ID]',
    drivers: '[account+ID], [account+Status]',
    disputes: '[account+ID]',
    activities: '[account+ID], [account+CreatedAt]',
    stats: 'account',
  },
  { pages: '[account+list+query], [account+at]', trends: 'account' },
  { revocations: '++id', ownSessions: '[account+id]', audit: '[account+ID]' },
  { devices: '[account+code]', deliveries: `${rows}, [account+aheadAt]` },
  {
    outbox: `${queue}, [account+isPart+state]`,
    deliveries: `${rows}, [account+aheadAt], [account+unseen]`,
    disputes: '[account+ID], [account+DeliveryID]',
  },
  { handovers: '[account+ID]', places: '[account+key], [account+usedAt]' },
  // Rows alone: contacts of what has ended are gone.
  {},
  // Entries too: what was taken back is withdrawn.
  { deliveries: `${rows}, [account+unseen]` },
  { money: 'account', payouts: '[account+ID]' },
]

const delivery = (id: string, more: object) => deliveryOf(id, more as never)
const ama = { id: 'ama', name: 'Ama', phone: '0244000000' }

/** A phone in the middle of everything, with the schema of this version. */
async function phoneOf(version: number) {
  const { db: now, commands } = createDevice()
  await signIn(now, person('ama', 'sender'))
  const handedOver = delivery('handed-over', { status: 'Delivered', sender: ama })
  await saveRows(now, 'ama', [handedOver])
  await commands.approveDelivery('handed-over')
  const sent = await commands.requestDelivery(await filledDraft(commands), 'account')
  await commands.changePhone('0244000123')
  await commands.saveDraft(await filledDraft(commands, { itemDescription: 'Typed' }))
  await now.zones.add({ ID: 'z', Name: 'Osu' })
  const before = new Dexie(`released-${version}-${v7()}`)
  released.slice(0, version).forEach((added, at) => void before.version(at + 1).stores(added))
  const kept: Record<string, unknown[]> = {}
  for (const { name } of before.tables) {
    kept[name] = await now.table(name).toArray()
    await before.table(name).bulkAdd(kept[name])
  }
  before.close()
  now.close()
  return { name: before.name, kept, sent }
}

const versions = released.map((_, at) => at + 1)

describe('a phone’s database of every released version opens in this one', () => {
  test.each(versions)(
    'version %i: every row, the queue in its order, the draft',
    async (version) => {
      const { name, kept, sent } = await phoneOf(version)
      const { db, commands } = createDevice(name)
      for (const [table, rows] of Object.entries(kept))
        expect(await db.table(table).toArray(), table).toEqual(rows)
      expect(await checkRows(db, 1)).toBe(0)
      expect(await queries.outboxSummary(db)).toMatchObject({
        unsent: 3,
        refused: 0,
        quarantined: 0,
      })
      expect(await queries.draft(db)).toMatchObject({ itemDescription: 'Typed' })
      expect(await deliveryQueries.deliveryRow(db, sent)).toMatchObject({ known: false })
      expect((await db.deliveries.get(['ama', 'handed-over']))?.view.status).toBe('Approved')
      // A zone of a version that knew no centres is as good as one of now.
      if (kept.zones) expect(await queries.zones(db)).toEqual([{ ID: 'z', Name: 'Osu' }])
      // And what a person does from now on is queued behind it.
      await commands.changePhone('0244000124')
      const entries = await db.outbox.orderBy('seq').toArray()
      expect(entries.map(({ op }) => op).at(-1)).toBe('changePhone')
      db.close()
    },
  )

  test('the newest released schema is this one', async () => {
    const db = new SomaDb(`newest-${v7()}`)
    await db.open()
    expect(db.verno).toBe(released.length)
    const indexesOf = (each: Dexie) =>
      each.tables
        .map(({ name, schema }) => [
          name,
          schema.primKey.src,
          ...schema.indexes.map(({ src }) => src).sort(),
        ])
        .sort()
    const before = new Dexie(`all-${v7()}`)
    released.forEach((added, at) => void before.version(at + 1).stores(added))
    expect(indexesOf(db)).toEqual(indexesOf(before))
    db.close()
  })

  test('a database of a newer version says so, and is not touched', async () => {
    const name = `newer-${v7()}`
    const newer = new Dexie(name)
    newer.version(released.length + 1).stores({ outbox: queue, ofTomorrow: 'id' })
    await newer.table('ofTomorrow').add({ id: 'kept' })
    newer.close()
    const db = new SomaDb(name)
    const error: unknown = await db.open().then(
      () => undefined,
      (cause: unknown) => cause,
    )
    expect(problemOf({ error })).toMatchObject({ is: 'newer' })
    await expect(db.outbox.count()).rejects.toThrow()
    db.close()
    const again = await newer.open()
    expect(await again.table('ofTomorrow').toArray()).toEqual([{ id: 'kept' }])
    again.close()
  })
})
