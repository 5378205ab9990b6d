import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/*
 * Every promise in `src/sync/SPEC.md` is held by a test whose title begins with its number, alone or
 * among others: `S1, S5: becomes one delivery`.
 */

const root = join(import.meta.dirname, '../..')

const promised = [
  ...readFileSync(join(root, 'src/sync/SPEC.md'), 'utf8').matchAll(/^\| (S\d+) +\|/gm),
].map(([, rule]) => rule)

/** The numbers that titles of tests carry. A suite's title counts for the tests in it. */
function held(source: string): string[] {
  const titled = /(?<![\w.])(?:test|it|describe)\b[^'"`\n]*?(['"`])((?:S\d+, )*S\d+): /g
  const tabled = /\]\)\((?:\s*)(['"`])((?:S\d+, )*S\d+): /g
  return [titled, tabled].flatMap((pattern) =>
    [...source.matchAll(pattern)].flatMap(([, , rules = '']) => rules.split(', ')),
  )
}

const sources = readdirSync(join(root, 'tests'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(test|e2e)\.tsx?$/.test(name) && !name.includes('node_modules'))
  .map((name) => readFileSync(join(root, 'tests', name), 'utf8'))

test('every promise of sync is held by a test that names it, and no test names another', () => {
  expect(promised.length).toBeGreaterThan(30)
  expect(new Set(promised).size).toBe(promised.length)
  const named = new Set(sources.flatMap(held))
  expect({
    withoutTest: promised.filter((rule) => rule && !named.has(rule)),
    unknown: [...named].filter((rule) => !promised.includes(rule)),
  }).toEqual({ withoutTest: [], unknown: [] })
})

test.each([
  [`test('S1: once', work)`, ['S1']],
  [`describe('S10: what a driver is told', work)`, ['S10']],
  [`  ])('S1, S5: becomes one delivery when %s', work)`, ['S1', 'S5']],
  [`test.each(kinds)('S12: %s is no answer', work)`, ['S12']],
  ['it(`S2: by template`, work)', ['S2']],
  [`// S3: a comment holds nothing`, []],
  [`const text = 'S4: nor does a text'`, []],
  [`expect(row).toBe('S5: nor an expectation')`, []],
])('a title is told from other text: %s', (source, rules) => {
  expect(held(source)).toEqual(rules)
})
