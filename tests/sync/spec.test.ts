import { expect, test } from 'vitest'
import {
  citedByComments,
  definedIn,
  fastTests,
  sourcesIn,
  titledBy,
} from '../helpers/sources/numbered-rules.ts'

const promised = definedIn('src/sync/SPEC.md')
const titles = fastTests(/\.(test|e2e)\.tsx?$/).flatMap(({ text }) => titledBy(text))

test('src/sync/SPEC.md defines each promise once', () => {
  expect(promised.length).toBeGreaterThan(30)
  expect(new Set(promised).size).toBe(promised.length)
})

test('every promise has a test whose title begins with its number alone', () => {
  const alone = new Set(titles.filter(({ length }) => length === 1).flat())
  expect(promised.filter((number) => !alone.has(number))).toEqual([])
})

test('every promise is cited by the code that keeps it', () => {
  const cited = new Set(
    [...sourcesIn('src'), ...sourcesIn('sw')].flatMap(({ text }) => citedByComments(text)),
  )
  expect(promised.filter((number) => !cited.has(number))).toEqual([])
})

test('no title and no comment cites a promise that is not there', () => {
  const all = [...sourcesIn('src'), ...sourcesIn('sw')].flatMap(({ text }) => citedByComments(text))
  const used = [...all, ...titles.flat()].filter((number) => number.startsWith('S'))
  expect([...new Set(used)].filter((number) => !promised.includes(number))).toEqual([])
})

test.each([
  [`test('S1: once', work)`, [['S1']]],
  [`describe('S10: what a driver sees', work)`, [['S10']]],
  [`  ])('S1, S5: becomes one delivery when %s', work)`, [['S1', 'S5']]],
  [`test.each(kinds)('S12: %s is no response', work)`, [['S12']]],
  ['it(`S2: by template`, work)', [['S2']]],
  [`test(\n  'S3: on a line of its own',\n)`, [['S3']]],
  [`// S3: a comment is no title`, []],
  [`const text = 'S4: nor is a text'`, []],
  [`expect(row).toBe('S5: nor an expectation')`, []],
])('a title is recognised: %s', (source, numbers) => {
  expect([...new Set(titledBy(source).map(String))]).toEqual(numbers.map(String))
})
