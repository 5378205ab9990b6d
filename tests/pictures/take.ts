import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import sharp from 'sharp'

const folder = join(import.meta.dirname, '../../.pictures')

/** Saves a screenshot without toasts; fails when the file is too large for the repository. */
export async function take(page: Page, name: string) {
  await calm(page)
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${name}.png`)
  await page.screenshot({ path })
  expect(statSync(path).size).toBeLessThan(150_000)
}

/** Saves a screenshot for the manifest, which browsers show before the app is installed. */
export async function takeForManifest(page: Page, name: string) {
  await calm(page)
  await sharp(await page.screenshot())
    .webp({ quality: 70, effort: 6 })
    .toFile(join(import.meta.dirname, `../../public/screenshots/${name}.webp`))
}

/** Nothing moves, and nothing lies above the page. */
async function calm(page: Page) {
  // A toast under the pointer does not disappear.
  await page.mouse.move(0, 0)
  await expect(page.locator('[data-toast]')).toHaveCount(0, { timeout: 20_000 })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    scrollTo(0, 0)
  })
  await page.waitForTimeout(500)
}
