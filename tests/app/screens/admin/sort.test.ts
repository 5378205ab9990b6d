import { expect, test } from 'vitest'
import { directionOf, nextSort } from '../../../../src/app/screens/admin/list/sort.ts'

test('R74: presses on a header sort ascending, then descending, then not at all', () => {
  const first = nextSort('', 'name')
  const second = nextSort(first, 'name')
  expect([first, second, nextSort(second, 'name')]).toEqual(['name', '-name', ''])
  expect(nextSort('-name', 'role')).toBe('role')
})

test('a header names the direction of its own column only', () => {
  expect(directionOf('name', 'name')).toBe('ascending')
  expect(directionOf('-name', 'name')).toBe('descending')
  expect(directionOf('-name', 'role')).toBeUndefined()
  expect(directionOf('', 'name')).toBeUndefined()
})
