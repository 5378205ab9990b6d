import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const documents = [
  'README.md',
  'src/CONTRIBUTING.md',
  'src/DECISIONS.md',
  'src/OPERATIONS.md',
  'src/domain/RULES.md',
  'src/sync/SPEC.md',
]

/** Paths in backticks that begin with a folder of the project, as they are or below `src`. */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/`((?:src|tests|sw|app|store|sync|server|contract|domain|demo)\/[\w./-]+)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => !path.includes('<'))

test.each(documents)('every path that %s names is there', (document) => {
  const missing = pathsIn(read(document)).filter(
    (path) => !existsSync(join(root, path)) && !existsSync(join(root, 'src', path)),
  )
  expect(missing).toEqual([])
})

test('src/DECISIONS.md lists every decision at its top, in order', () => {
  const [index = '', ...entries] = read('src/DECISIONS.md').split('\n## ')
  const listed = [...index.matchAll(/^(\d+)\. (.*)$/gm)].map(([line]) => line)
  const titles = entries.map((entry) => entry.split('\n')[0]?.replace(/ \([\d-]+\)$/, ''))
  expect(titles).toEqual(listed)
})
