import { createHash } from 'node:crypto'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect, type Page } from '@playwright/test'
import { serverFixture, test } from './server-fixture.ts'

const project = join(import.meta.dirname, '../../../..')

/** A server on a copy of the build, for all tests of a file, and how to publish the next release on it. */
export function releaseFixture() {
  let root = ''
  const fixture = serverFixture({
    root: () => {
      root = copyOfBuild()
      return root
    },
  })
  test.afterAll(() => rmSync(root, { recursive: true, force: true }))
  return { fixture, release: (mark: string, torn = false) => release(root, mark, torn) }
}

/** The release that the page is of; `null`: the one before all others. */
export const releaseOf = (page: Page) => page.locator('html').getAttribute('data-release')

/** Waits until the page is that of this release. */
export const expectRelease = (page: Page, mark: string | null) =>
  expect.poll(() => releaseOf(page), { timeout: 30_000 }).toBe(mark)

/** Looks for a new release; resolves once it was found. */
export const lookForUpdate = (page: Page) =>
  page.evaluate(async () => {
    await (await navigator.serviceWorker.ready).update()
  })

/** A copy of the build that a test may change, laid out as the server expects it. */
function copyOfBuild(): string {
  const root = mkdtempSync(join(tmpdir(), 'soma-release-'))
  cpSync(join(project, 'dist/app'), join(root, 'dist/app'), { recursive: true })
  cpSync(join(project, 'dist/server'), join(root, 'dist/server'), { recursive: true })
  mkdirSync(join(root, 'src/server/postgres'), { recursive: true })
  symlinkSync(
    join(project, 'src/server/postgres/migrations'),
    join(root, 'src/server/postgres/migrations'),
  )
  symlinkSync(join(project, 'node_modules'), join(root, 'node_modules'))
  return root
}

/**
 * Makes the copy the next release: a page marked `data-release`, and a worker that lists its new bytes.
 * With `torn` the worker lists bytes that the server does not have, as when a release is half copied.
 */
function release(root: string, mark: string, torn: boolean): void {
  const page = join(root, 'dist/app/index.html')
  const worker = join(root, 'dist/app/sw.js')
  const before = readFileSync(page, 'utf8')
  const after = before.replace(/<html lang="en"[^>]*>/, `<html lang="en" data-release="${mark}">`)
  const listed = /(index\.html.{1,20}?)sha256-[\w+/=]+/
  const script = readFileSync(worker, 'utf8')
  if (!listed.test(script)) throw new Error('The worker does not list the page')
  write(page, after)
  write(worker, script.replace(listed, `$1${integrity(torn ? `${after}!` : after)}`))
}

/** Writes a file and its compressed forms, as the build does. */
function write(file: string, text: string) {
  writeFileSync(file, text)
  writeFileSync(`${file}.br`, brotliCompressSync(text))
  writeFileSync(`${file}.gz`, gzipSync(text))
}

const integrity = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`
