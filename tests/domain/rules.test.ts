import { describe, expect, test } from 'vitest'
import {
  citedByComments,
  definedIn,
  fastTests,
  sourcesIn,
  titledBy,
} from '../helpers/sources/numbered-rules.ts'

const rules = definedIn('src/domain/RULES.md')
const code = [...sourcesIn('src'), ...sourcesIn('sw')]
const tests = fastTests()
const cited = new Set(code.flatMap(({ text }) => citedByComments(text)))
const titled = new Set(tests.flatMap(({ text }) => titledBy(text)).flat())

describe('RULES.md', () => {
  test('defines each rule once', () => {
    expect(rules.length).toBeGreaterThan(50)
    expect(new Set(rules).size).toBe(rules.length)
  })

  test('every rule is cited by the code that keeps it', () => {
    expect(rules.filter((rule) => !cited.has(rule))).toEqual([])
  })

  test('every rule is in the title of a test', () => {
    expect(rules.filter((rule) => !titled.has(rule))).toEqual([])
  })

  test('no rule is cited that is not there', () => {
    const used = [...cited, ...titled].filter((number) => number.startsWith('R'))
    expect(used.filter((rule) => !rules.includes(rule))).toEqual([])
  })
})
