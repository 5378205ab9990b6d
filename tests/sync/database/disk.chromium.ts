import { liveQuery } from 'dexie'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { emptyDraft } from '#domain/deliveries/draft.ts'
import { createDevice, filledDraft, person, signIn } from '../../helpers/device/device.ts'
import { onWrite } from '../../helpers/device/writes.ts'

/*
 * What the disk says of a write once all writes of its transaction have been asked for, and no more
 * will come. Only in a browser: fake-indexeddb lets the others stand.
 */

let device: ReturnType<typeof createDevice>
beforeEach(() => {
  device = createDevice()
})
afterEach(() => device.db.delete())

const held = async () => {
  const { outbox, deliveries, guests } = device.db
  return [await outbox.count(), await deliveries.count(), await guests.count()]
}

/** The key of an entry that is there already: no check of ours sees it, the disk does. */
const takeKeyOf = (id: string) =>
  onWrite(device.db, ({ table, value }) => {
    if (table === 'outbox') Object.assign(value as object, { id })
  })

test('S2: a request of which the disk refuses one part is not written at all', async () => {
  const { commands } = device
  const draft = await filledDraft(commands)
  const stop = takeKeyOf(await commands.requestDelivery(draft, 'guest'))
  const before = await held()
  await expect(commands.requestDelivery(draft, 'guest')).rejects.toThrow()
  stop()
  expect(await held()).toEqual(before)
})

test('S2: nor is an act, and the row stays as it was', async () => {
  const { db, commands } = device
  await signIn(db, person('ama', 'sender'))
  const id = await commands.requestDelivery(await filledDraft(commands), 'account')
  const row = await db.deliveries.get(['ama', id])
  await db.deliveries.put({ ...row, known: true, marks: [] } as never)
  const before = [await held(), await db.deliveries.toArray()]
  const stop = takeKeyOf(id)
  await expect(commands.cancelDelivery(id)).rejects.toThrow()
  stop()
  expect([await held(), await db.deliveries.toArray()]).toEqual(before)
})

test('S2: of several that go together only the refused one is missing', async () => {
  const { commands } = device
  const drafts = await Promise.all([1, 2, 3].map(() => filledDraft(commands)))
  let left = 2
  const stop = onWrite(device.db, ({ table }) => {
    if (table === 'guests' && left-- > 0) throw new DOMException('No room', 'DataError')
  })
  const asked = await Promise.allSettled(
    drafts.map((draft) => commands.requestDelivery(draft, 'guest')),
  )
  stop()
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  expect(await held()).toEqual([4, 2, 2])
})

test('S2: a screen is shown nothing before it is written', async () => {
  const { db, commands } = device
  const said: string[] = []
  const begin = IDBDatabase.prototype.transaction
  IDBDatabase.prototype.transaction = function (...asked) {
    const transaction = begin.apply(this, asked)
    if (transaction.mode === 'readwrite')
      transaction.addEventListener('complete', () => said.push('written'))
    return transaction
  }
  const screen = liveQuery(() => db.drafts.toArray()).subscribe((drafts) => {
    said.push(drafts.length > 0 ? 'shown' : 'empty')
  })
  await expect.poll(() => said).toEqual(['empty'])
  await commands.saveDraft({ ...emptyDraft, itemDescription: 'Laptop' })
  await expect.poll(() => said).toContain('shown')
  IDBDatabase.prototype.transaction = begin
  screen.unsubscribe()
  expect(said).toEqual(['empty', 'written', 'shown'])
})
