import { expect, type Page } from '@playwright/test'
import { axeViolations } from '../helpers/page/axe.ts'
import { cutOff, largeText, smallTargets, usualText } from '../helpers/page/layout-checks.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { inTheme } from '../helpers/page/theme.ts'

/** Checks a screen as it stands: axe in both themes, 320 px with text of 200 %, and a desktop. */
export async function looksRight(page: Page, name: string): Promise<void> {
  const usual = page.viewportSize()
  await inTheme(page, 'light')
  expect(await axeViolations(page, { within: 'main' })).toEqual([])
  expect(await smallTargets(page)).toEqual([])
  await screenshot(page, name)
  await inTheme(page, 'dark')
  expect(await axeViolations(page, { colorScheme: 'dark' })).toEqual([])
  await screenshot(page, `${name}-dark`)
  await inTheme(page, 'light')
  await page.setViewportSize({ width: 320, height: 640 })
  await largeText(page)
  expect(await cutOff(page)).toEqual([])
  await screenshot(page, `${name}-320`)
  await usualText(page)
  await page.setViewportSize({ width: 1280, height: 900 })
  await screenshot(page, `${name}-desktop`)
  if (usual) await page.setViewportSize(usual)
}
