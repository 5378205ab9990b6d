import { expect, type Page } from '@playwright/test'
import { axeViolations } from '../../e2e/helpers/page/axe.ts'
import { cutOff, largeText, smallTargets, usualText } from '../../e2e/helpers/page/layout-checks.ts'
import { screenshot } from '../../e2e/helpers/page/screenshot.ts'
import { inTheme } from '../../e2e/helpers/page/theme.ts'

/**
 * Checks a screen as it stands: axe in both themes, touch targets, 320 px with text of 200 %, and a desktop.
 * `within`: the selector of the part that axe checks, if not the whole page.
 */
export async function looksRight(page: Page, name: string, within?: string): Promise<void> {
  const usual = page.viewportSize()
  for (const colorScheme of ['light', 'dark'] as const) {
    await inTheme(page, colorScheme)
    expect(await axeViolations(page, { colorScheme, within })).toEqual([])
    await screenshot(page, `${name}-${colorScheme}`)
  }
  await inTheme(page, 'light')
  expect(await smallTargets(page)).toEqual([])
  expect(await cutOff(page)).toEqual([])
  await page.setViewportSize({ width: 320, height: 640 })
  await largeText(page)
  expect(await cutOff(page)).toEqual([])
  await screenshot(page, `${name}-320`)
  await usualText(page)
  await page.setViewportSize({ width: 1280, height: 900 })
  await screenshot(page, `${name}-desktop`)
  if (usual) await page.setViewportSize(usual)
}
