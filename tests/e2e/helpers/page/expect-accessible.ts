import { expect, type Page, test } from '@playwright/test'
import { axeViolations } from './axe.ts'
import { cutOff, largeText, usualText } from './layout-checks.ts'
import { screenshot } from './screenshot.ts'
import { inTheme } from './theme.ts'

const smallest = { width: 320, height: 640 }

/**
 * Expects no axe violation in either theme, and on a phone nothing cut off at 320 px with text twice as big.
 * The screen shows all its content already.
 */
export async function expectAccessible(page: Page, screen: string): Promise<void> {
  const picture = `access-${screen.replaceAll(/\W+/g, '-')}`
  await test.step(screen, async () => {
    for (const colorScheme of ['dark', 'light'] as const) {
      await inTheme(page, colorScheme)
      await screenshot(page, `${picture}-${colorScheme}`)
      const found = await axeViolations(page, { colorScheme })
      expect.soft(found, `${screen}, ${colorScheme}`).toEqual([])
    }
    const viewport = page.viewportSize()
    if (!viewport || viewport.width > 600) {
      expect.soft(await cutOff(page), `${screen}, cut off`).toEqual([])
      return
    }
    await page.setViewportSize(smallest)
    await largeText(page)
    expect.soft(await cutOff(page), `${screen}, cut off at 320 px and 200 %`).toEqual([])
    await screenshot(page, `${picture}-200`)
    await usualText(page)
    await page.setViewportSize(viewport)
  })
}
