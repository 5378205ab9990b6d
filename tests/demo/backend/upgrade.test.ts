import Dexie from 'dexie'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { openDexieRepo } from '#demo/backend/dexie/dexie-repo.ts'

/** The tables of the version before (4). */
const tables = {
  settings: 'name',
  users: 'ID, &emailKey, phone_number',
  applications: 'userId',
  sessions: 'hash, userId',
  codes: '[userId+purpose], [phone+purpose]',
  attempts: 'id, [key+at]',
  requests: 'id',
  deliveries: 'delivery.ID, &changed, *marks',
  guestTokens: 'hash',
  zones: '++place, &ID, &nameKey',
  items: '++place, &ID, &nameKey',
  disputes: 'ID',
  activities: '[CreatedAt+ID]',
  transfers: '[deliveryId+way], *accounts',
  audit: 'ID, At',
  photos: 'name',
  incarnations: '++place, &id',
  devices: 'code',
}

test('R106, R108: a demo of the version before gets due times and marks of its disputes', async () => {
  const name = `old demo ${v7()}`
  const old = new Dexie(name)
  old.version(4).stores(tables)
  const ids = { waiting: v7(), disputed: v7(), settled: v7(), carried: v7() }
  const at = new Date().toISOString()
  const rowOf = (ID: string, status: string, changed: number) => ({
    delivery: { ID, status, itemDescription: 'Kente', offer: 60, version: 1, updatedAt: at },
    changed,
    marks: [`status:${status}`],
  })
  await old
    .table('deliveries')
    .bulkAdd([
      rowOf(ids.waiting, 'Delivered', 1),
      rowOf(ids.disputed, 'Delivered', 2),
      rowOf(ids.settled, 'Delivered', 3),
      rowOf(ids.carried, 'Picked Up', 4),
    ])
  const dispute = (DeliveryID: string, status: string) => ({ ID: v7(), DeliveryID, status })
  await old
    .table('disputes')
    .bulkAdd([dispute(ids.disputed, 'open'), dispute(ids.settled, 'resolved')])
  old.close()

  const repo = openDexieRepo(name)
  const due = async (hours: number) => {
    const by = new Date(Date.now() + hours * 3_600_000).toISOString()
    const found = await repo.transaction((stores) => stores.deliveries.lockDue(by, 10))
    return found.map(({ ID }) => ID).sort()
  }
  expect(await due(47)).toEqual([])
  expect(await due(49)).toEqual([ids.waiting, ids.settled].sort())
  await repo.close()
  await Dexie.delete(name)
})

test('R165: the zones of a demo of the version before get their centres and roads', async () => {
  const name = `old demo ${v7()}`
  const old = new Dexie(name)
  old.version(7).stores({ ...tables, counters: 'key', confirmedPhones: 'key' })
  const at = new Date().toISOString()
  const names = ['Tema', 'Spintex', 'Kokrobite']
  await old
    .table('zones')
    .bulkAdd(names.map((Name) => ({ ID: v7(), Name, nameKey: Name.toLowerCase(), at })))
  old.close()
  const repo = openDexieRepo(name)
  const zones = await repo.read((stores) => stores.zones.list())
  expect(zones).toMatchObject([
    { Name: 'Tema', lat: 5.645, lng: 0.002, roads: [{ to: 'Spintex', km: 15.5 }] },
    { Name: 'Spintex', lat: 5.633, roads: [{ to: 'Tema', km: 15.5 }] },
    { Name: 'Kokrobite', lat: undefined },
  ])
  await repo.close()
  await Dexie.delete(name)
})
