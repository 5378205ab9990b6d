import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { outboxModel } from '#store/deliveries/outbox-model.ts'
import { pullAnyList } from '#store/pull/pull-list.ts'
import type { OutboxEntry } from '#sync/database/entry.ts'
import { commitTurn } from '#sync/outbox/turn.ts'
import { contextOf, deliveryOf } from '../../helpers/device/context.ts'
import { createDevice, person, signIn } from '../../helpers/device/device.ts'
import { reportEntry } from '../../helpers/device/report-entry.ts'

let db: ReturnType<typeof createDevice>['db']
beforeEach(async () => {
  db = createDevice().db
  await signIn(db, person('kofi', 'sender'))
})
afterEach(() => {
  vi.restoreAllMocks()
  db.close()
})

const kofi = { id: 'kofi', name: 'Kofi', phone: '0244000000' }
const many = Array.from({ length: 200 }, (_, at) => at)
const deliveries = many.map((at) => deliveryOf(`d${at}`, { sender: kofi }))

/** Of each transaction from now on: how many rows it puts, and at most before one of its requests is answered. */
function countPuts() {
  const found = new Map<IDBTransaction, { all: number; atOnce: number; open: number }>()
  const { put } = IDBObjectStore.prototype
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
    this: IDBObjectStore,
    row,
    key,
  ) {
    const request = put.call(this, row, key)
    const counted = found.get(this.transaction) ?? { all: 0, atOnce: 0, open: 0 }
    found.set(this.transaction, counted)
    counted.all += 1
    counted.open += 1
    counted.atOnce = Math.max(counted.atOnce, counted.open)
    request.addEventListener('success', () => {
      counted.open = 0
    })
    return request
  })
  return () => [...found.values()].map(({ all, atOnce }) => ({ all, atOnce }))
}

test('200 outcomes are written in one transaction, at most 25 rows in a task', async () => {
  await db.outbox.bulkAdd(many.map((at) => reportEntry(at, { state: 'sending' })) as never[])
  const entries = await db.outbox.toArray()
  const puts = countPuts()
  await commitTurn(db, outboxModel, {
    outcomes: entries.map((entry: OutboxEntry, at) => ({
      entry,
      reply: { rows: [deliveries[at]], staleLists: [], bytes: 1 },
    })),
    returned: [],
    knownUpTo: undefined,
    holder: { id: 'tab', now: 1_000_000_000, isAlone: true },
    wallClock: 5_000_000_000,
    choose: () => [],
  })
  expect(puts()).toEqual([{ all: 400, atOnce: 25 }])
  expect(await db.outbox.where('state').equals('done').count()).toBe(200)
  expect(await db.deliveries.count()).toBe(200)
})

test('200 pulled rows are written in one transaction, at most 25 in a task', async () => {
  const puts = countPuts()
  const context = contextOf(db, async () => Response.json({ deliveries, cursor: '1' }))
  expect(await pullAnyList(context, { kind: 'sent' })).toMatchObject({ result: 'fresh' })
  // The last is how far the list has come.
  expect(puts()).toEqual([{ all: 201, atOnce: 25 }])
  expect(await db.deliveries.count()).toBe(200)
})
