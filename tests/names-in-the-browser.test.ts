import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { namesIn } from './helpers/sources/browser-names.ts'

/*
 * The demo lies on the same origin as the app. Whatever either keeps in the browser under a name
 * (caches, databases, locks, channels, local and session storage) carries the prefix of its place.
 */

const root = join(import.meta.dirname, '..')

const sources = ['src/app', 'src/store', 'src/sync', 'src/demo', 'sw'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && name !== 'build.ts')
    .map((name) => `${folder}/${name}`),
)

/** Names that are written out, each with the reason why it may be. */
const allowed: Record<string, string> = {
  'src/app/browser/theme.ts soma-theme': 'light or dark is chosen for the device, for app and demo',
  'src/store/login/local-storage.ts token': 'a fixed name; the demo opens its devices without it',
  'sw/recipient.ts soma-recipient:':
    'the recipient’s page has a place of its own; the demo has none',
  'src/store/login/local-storage.ts user': 'a fixed name; the demo opens its devices without it',
}

test('everything kept in the browser by name has the prefix of its place in the name', () => {
  const found = sources.flatMap((path) =>
    namesIn(path, readFileSync(join(root, path), 'utf8')).map((name) => `${path} ${name}`),
  )
  expect(found.filter((each) => !(each in allowed))).toEqual([])
  expect(sources.length).toBeGreaterThan(100)
})

test.each([
  [`await globalThis.caches?.open('x')`, ['x']],
  [`const name = \`soma-\${version}\`; caches.open(name)`, ['soma-']],
  [`class Db extends Dexie { constructor() { super('soma') } }`, ['soma']],
  [`navigator.locks.request('life', work)`, ['life']],
  [`caches.open(\`\${apart}soma-images\`)`, []],
  [`const key = apart + name; localStorage.getItem(key)`, []],
])('names without a prefix in %s', (source, names) => {
  expect(namesIn('a.ts', source)).toEqual(names)
})
