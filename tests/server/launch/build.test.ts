import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { changedAt } from '../../../src/server/launch/build.mjs'

test('A build is due for a source that was changed, added or removed, and for nothing else', () => {
  const root = mkdtempSync(join(tmpdir(), 'soma-build-'))
  const at = (path: string) => join(root, path)
  const setTimes = (seconds: number) => {
    for (const path of ['src/app/main.ts', 'src/app', 'src', 'package.json'])
      utimesSync(at(path), seconds, seconds)
  }
  mkdirSync(at('src/app'), { recursive: true })
  for (const path of ['src/app/main.ts', 'package.json']) writeFileSync(at(path), '')
  setTimes(1_000)
  expect(changedAt(root)).toBe(1_000_000)
  writeFileSync(at('README.md'), '')
  expect(changedAt(root)).toBe(1_000_000)
  utimesSync(at('src/app/main.ts'), 1_001, 1_001)
  expect(changedAt(root)).toBe(1_001_000)
  for (const change of [
    () => writeFileSync(at('src/app/other.ts'), ''),
    () => rmSync(at('src/app/other.ts')),
  ]) {
    setTimes(1_000)
    change()
    expect(changedAt(root)).toBeGreaterThan(1_001_000)
  }
  rmSync(root, { recursive: true })
})
