import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { SomaDb } from '#store/soma-db.ts'
import { getMany } from '#sync/database/get-many.ts'

const held = 60
const names = Array.from({ length: held }, (_, at) => `r${String(at).padStart(3, '0')}`)

let db: SomaDb
beforeEach(async () => {
  db = new SomaDb('nearby')
  await db.guests.bulkPut(names.map((id) => ({ id, ...about(id) })))
  await db.aliases.bulkPut(names.map((local) => ({ account: 'a,b', local, server: local })))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await db.delete()
})

const about = (senderName: string) => ({ senderName, senderPhone: '0244000000', createdAt: '' })
const asked = () => vi.spyOn(IDBObjectStore.prototype, 'get')
const read = async (keys: string[]) =>
  (await getMany(db.guests, keys)).map((record) => record?.senderName)

describe('Rows by their keys', () => {
  test('come in the order of the keys, with nothing where there is none, asked for in one go', async () => {
    const keys = [...names.slice(10, 20).reverse(), 'r015x', ...names.slice(20, 30)]
    const each = asked()
    expect(await read(keys)).toEqual(keys.map((key) => (key === 'r015x' ? undefined : key)))
    expect(each).not.toHaveBeenCalled()
  })

  test('that lie far apart come all the same, each asked for', async () => {
    const keys = names.filter((_, at) => at % 6 === 0)
    const each = asked()
    expect(await read(keys)).toEqual(keys)
    expect(each).toHaveBeenCalledTimes(keys.length)
  })

  test('of a few nothing is read that was not asked for', async () => {
    const whole = vi.spyOn(IDBObjectStore.prototype, 'getAll')
    expect(await read(['r003', 'r001'])).toEqual(['r003', 'r001'])
    expect(whole).not.toHaveBeenCalled()
    expect(await read([])).toEqual([])
  })

  test('with keys of two parts are told apart whatever stands in them', async () => {
    const keys = names.slice(0, 9).map((name): [string, string] => ['a,b', name])
    const other: [string, string] = ['a', `b,${names[0]}`]
    await db.aliases.put({ account: other[0], local: other[1], server: 'another' })
    const found = await getMany(db.aliases, [other, ...keys])
    expect(found.map((alias) => alias?.server)).toEqual(['another', ...names.slice(0, 9)])
  })

  test('with numbers for keys are read in one go where few are missing between them', async () => {
    const entry = { account: 'guest', lane: 'l', state: 'waiting', after: [], photos: [] }
    for (const name of names) await db.outbox.add({ ...entry, id: name } as never)
    const seqs = (await db.outbox.toCollection().primaryKeys()).slice(5, 11)
    const [, second = 0, third = 0] = seqs
    const each = asked()
    const found = await getMany(db.outbox, [third, second])
    expect(found.map((row) => row?.seq)).toEqual([third, second])
    expect(each).not.toHaveBeenCalled()
    await getMany(db.outbox, [seqs[0] ?? 0, seqs[5] ?? 0])
    expect(each).toHaveBeenCalledTimes(2)
  })
})
