import { expect, test } from 'vitest'
import type { OutboxEntry } from '#sync/database/entry.ts'
import type { Leased } from '#sync/model.ts'
import { type Departing, Places } from '#sync/push/places.ts'

const leased = (op: string, count: number, from = 0): Leased[] =>
  Array.from({ length: count }, (_, at) => {
    const entry = { id: `${op} ${from + at}`, op } as unknown as OutboxEntry
    return { entry, before: entry, credentials: { id: 'd1' } }
  })
const isUpload = ({ op }: OutboxEntry) => `${op}` === 'photo'
const alone = ({ id }: OutboxEntry) => id

const takeAll = (places: Places) => {
  const taken: Departing[] = []
  for (let next = places.take(); next; next = places.take()) taken.push(next)
  return taken
}
const kinds = (taken: readonly Departing[]) => ({
  uploads: taken.filter((each) => each.isUpload).length,
  calls: taken.filter((each) => !each.isUpload).length,
})

test('S34: six calls and two uploads leave, however many are ready, and another for each that ends', () => {
  const places = new Places()
  places.add([...leased('photo', 10), ...leased('call', 20)], isUpload, alone)
  expect(places.free).toEqual({ uploads: -8, calls: -14 })
  const taken = takeAll(places)
  expect(kinds(taken)).toEqual({ uploads: 2, calls: 6 })
  expect(places.underWayCount).toBe(8)
  const [upload, call] = [taken.find((each) => each.isUpload), taken.find((each) => !each.isUpload)]
  if (!upload || !call) throw new Error('One of each')
  places.release(upload)
  expect(kinds(takeAll(places))).toEqual({ uploads: 1, calls: 0 })
  places.release(call)
  expect(kinds(takeAll(places))).toEqual({ uploads: 0, calls: 1 })
})

test('S41: calls of one group are one request, in the order they were leased', () => {
  const places = new Places()
  places.add(leased('call', 5), isUpload, ({ id }) => `${Number(id.slice(-1)) % 2}`)
  expect(takeAll(places).map(({ entries }) => entries.map(({ entry }) => entry.id))).toEqual([
    ['call 0', 'call 2', 'call 4'],
    ['call 1', 'call 3'],
  ])
  expect(places.free).toEqual({ uploads: 2, calls: 4 })
})

test('S14: what is ready and has not left is given back, what is under way is not', () => {
  const places = new Places()
  places.add(leased('call', 8), isUpload, alone)
  takeAll(places)
  expect(places.clearReady().map(({ entry }) => entry.id)).toEqual(['call 6', 'call 7'])
  expect(places.clearReady()).toEqual([])
  expect(places.underWayCount).toBe(6)
  expect(places.free).toEqual({ uploads: 2, calls: 0 })
})
