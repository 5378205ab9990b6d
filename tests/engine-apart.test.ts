import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { read } from './helpers/sources/imports.ts'

const root = join(import.meta.dirname, '..')

/** The part of store and sync that knows nothing of deliveries. */
const engine = [
  'src/store/database',
  'src/store/outbox',
  'src/sync/engine',
  'src/sync/push',
  'src/sync/events',
  'src/sync/platform',
  // The session of the device: any product has one.
  'src/store/account/aliases.ts',
  'src/store/account/expired-session.ts',
  'src/store/account/login.ts',
  'src/store/account/revocations.ts',
]

/** What the engine may import: itself, rules of no product, and the calls' errors. */
const allowed = [
  ...engine,
  'src/contract/errors.ts',
  'src/contract/transport.ts',
  'src/contract/version.ts',
  'src/domain/errors.ts',
]

/** Every table of the device's database. */
const tables = [
  'aliases',
  'activities',
  'audit',
  'deliveries',
  'devices',
  'disputes',
  'drafts',
  'drivers',
  'guests',
  'items',
  'meta',
  'outbox',
  'ownSessions',
  'pages',
  'photos',
  'pulls',
  'revocations',
  'sessions',
  'setAside',
  'stats',
  'trends',
  'users',
  'zones',
]
const tableOfDb = new RegExp(`\\bdb\\.(${tables.join('|')}|table\\()`)

describe('engine and product', () => {
  test('no file of the engine imports a file of the product', () => {
    const imports = engine.flatMap((folder) => sourcesIn(folder).flatMap(productImports))
    expect(imports).toEqual([])
  })

  test('no file of sync names a table of the database', () => {
    const named = sourcesIn('src/sync').flatMap((file) => {
      const [found] = tableOfDb.exec(readFileSync(join(root, file), 'utf8')) ?? []
      return found ? [`${file} names ${found}`] : []
    })
    expect(named).toEqual([])
  })
})

function sourcesIn(folder: string): string[] {
  if (/\.tsx?$/.test(folder)) return [folder]
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name))
}

function productImports(file: string): string[] {
  return read(file, readFileSync(join(root, file), 'utf8'))
    .imports.filter((to) => /^[.#]/.test(to))
    .map((to) => (to.startsWith('#') ? join('src', to.slice(1)) : join(dirname(file), to)))
    .filter((target) => !allowed.some((each) => target === each || target.startsWith(`${each}/`)))
    .map((target) => `${file} imports ${target}`)
}
