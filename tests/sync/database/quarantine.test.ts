import { expect, test } from 'vitest'
import type { Entry } from '#store/entries/operations.ts'
import { checkRows } from '#store/maintenance/row-checks.ts'
import * as deliveryQueries from '#store/queries/deliveries.ts'
import * as lists from '#store/queries/lists.ts'
import * as queries from '#store/queries/queries.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { createDevice, filledDraft } from '../../helpers/device/device.ts'

test('S18: what cannot be read is moved aside with its reason, and the rest goes on', async () => {
  const { db, commands } = createDevice()
  const id = await commands.requestDelivery(await filledDraft(commands), 'guest')
  const good = (await db.outbox.where('id').equals(id).first()) as Entry
  const { seq: _, ...rest } = good
  await db.outbox.add({ ...rest, id: 'from-the-future', v: 99 } as Entry)
  await db.outbox.add({ ...rest, id: 'garbled', op: 'teleport' } as unknown as Entry)
  await db.deliveries.put({
    account: 'guest',
    ID: 'torn',
    view: { status: 7 },
    sentAt: 'x',
  } as unknown as DeliveryRow)
  await db.guests.put({ id: 'half', senderName: 3 } as never)

  expect((await lists.sent(db)).map((row) => row.ID)).toEqual([id])
  expect(await checkRows(db, 1)).toBe(3)
  expect((await queries.quarantined(db)).map(({ from, why }) => [from, why])).toEqual([
    ['outbox', 'It could not be read.'],
    ['deliveries', 'It could not be read.'],
    ['guests', 'It could not be read.'],
  ])
  expect((await queries.quarantined(db))[0]?.value).toMatchObject({ id: 'garbled' })
  expect(await queries.outboxSummary(db)).toEqual({
    unsent: 2,
    refused: 0,
    declined: 0,
    sending: 0,
    quarantined: 3,
  })
  expect(await queries.guestRecord(db)).toMatchObject({ id })
  expect(await checkRows(db, 2)).toBe(0)
})

test('S18: an entry of an older version goes on, as careful as what it does not know asks for', async () => {
  const { db, commands } = createDevice()
  const tried = await commands.requestDelivery(await filledDraft(commands), 'guest')
  const fresh = await commands.requestDelivery(await filledDraft(commands), 'guest')
  await db.outbox.toCollection().modify({ v: 1 })
  await db.outbox.where('id').equals(tried).modify({ state: 'retrying', attempts: 1 })
  expect(await checkRows(db, 1)).toBe(0)
  expect(await db.outbox.where('id').equals(tried).first()).toMatchObject({ v: 2, left: true })
  expect((await db.outbox.where('id').equals(fresh).first())?.left).toBeUndefined()
  // What may have arrived is not forgotten, but cancelled where it is.
  await commands.discard(tried)
  expect(await deliveryQueries.deliveryRow(db, tried)).toMatchObject({
    view: { status: 'Cancelled' },
  })
  expect((await db.outbox.where('id').equals(tried).first())?.withdrawal).toBe('asked')
})
