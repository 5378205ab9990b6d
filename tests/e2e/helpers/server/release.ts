import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { copyOfBuild, withIntegrity, writeBuilt } from './build-copy.ts'
import { serverFixture, test } from './server-fixture.ts'

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
  expect.poll(() => releaseOf(page), { timeout: 90_000 }).toBe(mark)

/** The words that a new release waits, until the person lets it in. */
export const updateBar = (page: Page) => page.getByRole('status', { name: 'Update ready' })

/** Counts how often the page is loaded from here on. */
export function loadsOf(page: Page) {
  const loads = { times: 0 }
  page.on('load', () => loads.times++)
  return loads
}

/** Waits until the release that was found is installed, and lets the page ask whether it may come. */
export async function settleRelease(page: Page) {
  const isWaiting = () =>
    page.evaluate(async () => (await navigator.serviceWorker.ready).waiting !== null)
  await expect.poll(isWaiting).toBe(true)
  await page.clock.fastForward(2_000)
}

/** Looks for a new release; resolves once it was found. */
export const lookForUpdate = (page: Page) =>
  page.evaluate(async () => {
    await (await navigator.serviceWorker.ready).update()
  })

/**
 * Makes the copy the next release: a page marked `data-release`, and a worker that lists its new bytes.
 * With `torn` the worker lists bytes that the server does not have, as when a release is half copied.
 */
function release(root: string, mark: string, torn: boolean): void {
  const page = join(root, 'dist/app/index.html')
  const worker = join(root, 'dist/app/sw.js')
  const after = readFileSync(page, 'utf8').replace(
    /<html lang="en"[^>]*>/,
    `<html lang="en" data-release="${mark}">`,
  )
  const listed = withIntegrity(readFileSync(worker, 'utf8'), torn ? `${after}!` : after)
  writeBuilt(page, after)
  writeBuilt(worker, listed)
}
