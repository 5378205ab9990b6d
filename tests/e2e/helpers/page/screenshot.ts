import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'

/** Saves a full-page screenshot in the folder named by the environment variable LOOK; does nothing without it. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.LOOK
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
