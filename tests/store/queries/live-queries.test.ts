import 'fake-indexeddb/auto'
import { liveQuery } from 'dexie'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as deliveryQueries from '#store/queries/deliveries.ts'
import { storedDeliveries } from '#store/queries/queries.ts'
import { SomaDb } from '#store/soma-db.ts'

/* A screen hears of every row its query read, the last one too. */

const id = '019352f0-0000-7000-8000-000000000000'
const user = {
  ID: 'u1',
  name: 'Abena',
  email: 'a@example.com',
  phone_number: '0244000001',
  role: 'sender' as const,
  Verified: true,
}

let db: SomaDb
beforeEach(async () => {
  db = new SomaDb('live-queries')
  await db.sessions.put({ key: 'current', account: 'u1', token: 't', user })
})
afterEach(() => db.delete())

test('that a room is not for this person is heard of once the server has said so', async () => {
  const heard: unknown[] = []
  const watching = liveQuery(() => deliveryQueries.deniedAs(db, id)).subscribe((why) =>
    heard.push(why),
  )
  await expect.poll(() => heard.at(-1)).toBe(null)
  await db.meta.put({ key: `gone:u1:${id}`, value: 1 })
  await expect.poll(() => heard.at(-1)).toBe('not-found')
  watching.unsubscribe()
})

test.each([
  ['none', {}],
  ['ended', { sentAt: '2026-11-27' }],
  ['ended', { jobAt: '2026-11-27' }],
  ['under-way', { active: 'job' }],
] as const)('a phone has %s of its person’s deliveries with %j', async (expected, row) => {
  await db.deliveries.put({ account: 'u1', ID: id, ...row } as never)
  expect(await storedDeliveries(db)).toBe(expected)
})
