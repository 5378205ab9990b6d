import { Dexie } from 'dexie'
import { v7 } from 'uuid'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SomaDb } from '#store/soma-db.ts'
import { commitNow } from '#sync/database/commit-now.ts'
import { cacheMiddleware } from '#sync/database/drop-cache.ts'

let db: SomaDb
beforeEach(() => {
  db = new SomaDb(`commit-${v7()}`)
})
afterEach(() => db.delete())

const zone = { ID: 'z1', Name: 'Osu' }

test('the transaction is committed before its writes have answered', async () => {
  const steps: string[] = []
  await db.transaction('rw', db.zones, async (transaction) => {
    const commit = vi.spyOn(transaction.idbtrans, 'commit')
    commit.mockImplementation(function (this: IDBTransaction) {
      steps.push('commit')
      commit.mockRestore()
      this.commit()
    })
    await commitNow(transaction, () =>
      db.zones.put(zone).then(() => {
        steps.push('written')
      }),
    )
  })
  expect(steps).toEqual(['commit', 'written'])
  expect(await db.zones.toArray()).toEqual([zone])
})

test('a browser without commit() writes the same, later', async () => {
  await db.transaction('rw', db.zones, async (transaction) => {
    Object.defineProperty(transaction.idbtrans, 'commit', { value: undefined })
    await commitNow(transaction, () => db.zones.put(zone))
  })
  expect(await db.zones.toArray()).toEqual([zone])
})

test('outside of its transaction nothing is written', async () => {
  let outside: Parameters<typeof commitNow>[0] | undefined
  await db.transaction('rw', db.zones, async (transaction) => {
    outside = transaction
  })
  if (!outside) throw new Error('No transaction')
  await expect(commitNow(outside, () => db.zones.put(zone))).rejects.toThrow('Outside')
  expect(await db.zones.count()).toBe(0)
})

test('the installed Dexie has the cache that the trick takes out, and the store is without it', () => {
  const named = ({ name }: { name?: string }) => name === cacheMiddleware.name
  const layers = (each: Dexie) =>
    (each as unknown as { _middlewares: Record<string, { name?: string }[]> })._middlewares[
      cacheMiddleware.stack
    ] ?? []
  expect(layers(new Dexie(`plain-${v7()}`)).some(named)).toBe(true)
  expect(layers(db).some(named)).toBe(false)
})
