import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csv } from '#store/export/csv.ts'

test.each([
  ['=1+1', "'=1+1"],
  ['+233244000000', "'+233244000000"],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', '"\'\t\'=1"'],
  [' =1', '" \'=1"'],
  ['-12.50', '-12.50'],
  ['Ama "Queen" Mensah', '"Ama ""Queen"" Mensah"'],
  ['Box, small', '"Box, small"'],
  ['two\nlines', '"two\nlines"'],
  ['0244000001', '024 400 0001'],
  ['Ama - Kofi', 'Ama - Kofi'],
  ['ama@example.com', 'ama@example.com'],
  ['2026-11-26T14:05:00.000Z', '2026-11-26T14:05:00.000Z'],
  ['Box;=1+1', '"Box;\'=1+1"'],
  ['Box\t=1+1', '"Box\t\'=1+1"'],
  ['Box; - 1+1', '"Box; \'- 1+1"'],
  ['Box =1+1', "Box '=1+1"],
])('%j is written so that no spreadsheet runs it or breaks on it', (text, written) => {
  expect(csv([[text]])).toBe(`${written}\r\n`)
})

test('what is missing is empty, numbers are plain, every row ends its line', () => {
  expect(csv([['a', undefined, 3.5], ['b']])).toBe('a,,3.5\r\nb\r\n')
})

test('R153: no text begins a formula, whichever sign a spreadsheet takes for the separator', () => {
  const part = fc.constantFrom(
    '=',
    '+',
    '-',
    '@',
    '＝',
    ';',
    '\t',
    '|',
    '"',
    "'",
    ' ',
    '\n',
    'a',
    '1',
    ',',
  )
  fc.assert(
    fc.property(fc.array(fc.array(part).map((parts) => parts.join(''))), (cells) => {
      const text = csv([cells])
      // Quotes that do not stand at the start of a field are signs like others, so none of them counts here.
      for (const separator of [';', '\t', '|'])
        for (const field of text.split(new RegExp(`[${separator}\n]`)))
          expect(field.replace(/^["\s]*/, '')).not.toMatch(/^[=+\-@＝](?!\d+(\.\d+)?,?["\s]*(,|$))/)
    }),
    { seed: 153, numRuns: 2_000 },
  )
})
