import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sourcesIn } from './helpers/sources/numbered-rules.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const decisions = readdirSync(join(root, 'src/decisions'))
  .filter((name) => name !== 'README.md')
  .sort()

const documents = [
  'README.md',
  'src/CONTRIBUTING.md',
  'src/GLOSSARY.md',
  ...decisions.map((name) => `src/decisions/${name}`),
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

const code = ['src', 'sw', 'tests']
  .flatMap((folder) => sourcesIn(folder))
  .map(({ text }) => text.replace(/\/\*[\s\S]*?\*\/|\/\/ .*/g, ''))
  .join('\n')
const inCode = new Set(code.match(/\w+/g))
const isFileName = (name: string) => /\.(tsx?|mjs|json|md|sql|key|yaml|conf|service)$/.test(name)

/** Names in backticks that are written as code writes them: `rateDelivery`, `stores.publish`. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/`([a-z]\w*(?:\.\w+)*)`/g)]
    .map(([, name = '']) => name)
    .filter((name) => /[a-z][A-Z]/.test(name) || (name.includes('.') && !isFileName(name)))

test.each(['src/CONTRIBUTING.md', 'src/GLOSSARY.md', 'src/domain/RULES.md'])(
  'every name of the code that %s gives is there',
  (document) => {
    const missing = namesIn(read(document)).filter(
      (name) => !name.split('.').every((part) => inCode.has(part)),
    )
    expect(missing).toEqual([])
  },
)

test('src/decisions/README.md lists every decision by its number and title', () => {
  const index = read('src/decisions/README.md')
  const listed = index.split('\n').filter((line) => line.startsWith('- '))
  const titles = decisions.map((name) => {
    const [title = ''] = read(`src/decisions/${name}`).split('\n')
    return `- [${title.replace('# ', '')}](${name})`
  })
  expect(listed).toEqual(titles)
})

test.each(decisions)(
  '%s says context, decision, consequences and status, in at most twenty lines',
  (name) => {
    const text = read(`src/decisions/${name}`)
    const parts = [...text.matchAll(/^\*\*(\w+)\.\*\*/gm)].map(([, part]) => part)
    expect(parts).toEqual(['Status', 'Context', 'Decision', 'Consequences'])
    expect(text).toMatch(new RegExp(`^# ${name.slice(0, 2)}\\. `))
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(20)
  },
)
