import { expect, test, vi } from 'vitest'
import { createWatchedLists } from '#sync/engine/watched-lists.ts'

const [zones, room] = [{ kind: 'zones' }, { kind: 'delivery', id: 'd1' }]

test('S24: a list that two screens show is watched until both are closed', () => {
  const watched = createWatchedLists()
  expect(watched.add(room)).toBe(true)
  expect(watched.add(zones)).toBe(true)
  expect(watched.add({ ...room })).toBe(false)
  expect(watched.add({ ...room })).toBe(false)
  expect(watched.all()).toEqual([room, zones])
  for (const left of [[room, zones], [room, zones], [zones], [zones]]) {
    watched.remove(room)
    expect(watched.all()).toEqual(left)
  }
  expect(watched.add(room)).toBe(true)
})

test('who follows hears of each list that comes or goes, once', () => {
  const watched = createWatchedLists()
  const heard = vi.fn()
  const stop = watched.follow(heard)
  watched.add(room)
  watched.add(room)
  expect(heard).toHaveBeenCalledTimes(1)
  watched.remove(room)
  expect(heard).toHaveBeenCalledTimes(1)
  watched.remove(room)
  expect(heard).toHaveBeenCalledTimes(2)
  stop()
  watched.add(zones)
  expect(heard).toHaveBeenCalledTimes(2)
})
