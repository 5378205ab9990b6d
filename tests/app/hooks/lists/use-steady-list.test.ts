import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keptIds, steadyOrder } from '#app/hooks/lists/use-steady-list.ts'

const ids = fc.uniqueArray(fc.integer({ min: 0, max: 60 }).map(String))

test('the first time a list is drawn as it comes', () => {
  expect(steadyOrder(undefined, ['b', 'a'])).toEqual(['b', 'a'])
})

test('rows keep their places from the first time on that the loaded list was drawn', () => {
  const shown = { key: 'a', ids: ['b'], isSettled: false }
  expect(keptIds(shown, 'a', false)).toBeUndefined()
  expect(keptIds(shown, 'a', true)).toBeUndefined()
  const settled = { ...shown, isSettled: true }
  expect(keptIds(settled, 'a', true)).toEqual(['b'])
  expect(keptIds(settled, 'another', true)).toBeUndefined()
})

test('whatever comes and goes, what is shown keeps its order and place', () => {
  fc.assert(
    fc.property(ids, ids, (shown, now) => {
      const next = steadyOrder(shown, now)
      const stays = shown.some((id) => now.includes(id))
      if (stays) expect(next.slice(0, shown.length)).toEqual(shown)
      else expect(next).toEqual(now)
      expect(new Set(next).size).toBe(next.length)
    }),
  )
})

test('what follows the last row is added, what comes before it waits', () => {
  expect(steadyOrder(['c', 'b'], ['d', 'c', 'b', 'a'])).toEqual(['c', 'b', 'a'])
  expect(steadyOrder(['c', 'b'], ['d', 'c'])).toEqual(['c', 'b'])
})
