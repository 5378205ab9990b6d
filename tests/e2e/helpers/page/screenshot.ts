import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'

/** With LOOK naming a folder, a picture of the whole page as it now is, for people to look at. */
export async function look(page: Page, name: string): Promise<void> {
  const folder = process.env.LOOK
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
