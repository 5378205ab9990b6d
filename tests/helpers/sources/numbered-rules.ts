import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/* Reads the numbers of rules (`R12`) and promises (`S5`) that documents define, comments cite and test titles name. */

const root = join(import.meta.dirname, '../../..')

export type Source = { path: string; text: string }

/** The text of every source file below `folder`, without what the package manager installed. */
export const sourcesIn = (folder: string, name: RegExp = /\.(tsx?|mjs)$/): Source[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => name.test(path) && !/node_modules|fixtures?\//.test(path))
    .map((path) => ({
      path: `${folder}/${path}`,
      text: readFileSync(join(root, folder, path), 'utf8'),
    }))

/** The source files of the tests that `npm test` runs; without the slow ones, which need not run before a commit. */
export const fastTests = (name?: RegExp): Source[] =>
  sourcesIn('tests', name).filter(
    ({ path }) => !/^tests\/(slow|bench|cluster|attacks)\//.test(path),
  )

/** The numbers that a document defines: one list item each, `- **R12 Title.** …`. */
export const definedIn = (document: string): string[] =>
  [...readFileSync(join(root, document), 'utf8').matchAll(/^- \*\*([RS]\d+)\b/gm)].flatMap(
    ([, number = '']) => number,
  )

/** The numbers cited by a comment. */
export function citedByComments(source: string): string[] {
  const comments = [...source.matchAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm)].map(([text]) => text)
  return comments.flatMap(numbersIn)
}

/** `R24 to R28` counts for all five. */
function numbersIn(text: string): string[] {
  const ranges = [...text.matchAll(/\b([RS])(\d+) to \1(\d+)\b/g)].flatMap(
    ([, letter = '', from, to]) => {
      const first = Number(from)
      return Array.from({ length: Number(to) - first + 1 }, (_, at) => `${letter}${first + at}`)
    },
  )
  return [...ranges, ...[...text.matchAll(/\b[RS]\d+\b/g)].map(([number]) => number)]
}

/** The lists of numbers with which titles of tests begin, one list for each title. */
export function titledBy(source: string): string[][] {
  const called = /(?<![\w.])(?:test|it|describe)\b[^'"`\n]*?(['"`])((?:[RS]\d+, )*[RS]\d+):? /g
  const wrapped = /(?<![\w.])(?:test|it|describe)(?:\.\w+)?\(\s*(['"`])((?:[RS]\d+, )*[RS]\d+):? /g
  const tabled = /\](?: as [^\n]+)?\)\((?:\s*)(['"`])((?:[RS]\d+, )*[RS]\d+):? /g
  return [called, wrapped, tabled].flatMap((pattern) =>
    [...source.matchAll(pattern)].map(([, , numbers = '']) => numbers.split(', ')),
  )
}
