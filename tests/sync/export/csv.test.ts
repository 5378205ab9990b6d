import { expect, test } from 'vitest'
import { csv } from '#sync/export/csv.ts'

test.each([
  ['=1+1', "'=1+1"],
  ['+233244000000', "'+233244000000"],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  [' =1', "' =1"],
  ['-12.50', '-12.50'],
  ['Ama "Queen" Mensah', '"Ama ""Queen"" Mensah"'],
  ['Box, small', '"Box, small"'],
  ['two\nlines', '"two\nlines"'],
  ['0244000001', '0244000001'],
])('%j is written so that no spreadsheet runs it or breaks on it', (text, written) => {
  expect(csv([[text]])).toBe(`${written}\r\n`)
})

test('what is missing is empty, numbers are plain, every row ends its line', () => {
  expect(csv([['a', undefined, 3.5], ['b']])).toBe('a,,3.5\r\nb\r\n')
})
