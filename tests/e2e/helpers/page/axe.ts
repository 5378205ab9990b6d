import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

type Options = {
  /** The theme the page shows. In dark only the contrast is checked: no other rule depends on the theme. */
  colorScheme?: 'light' | 'dark'
  /** The CSS selector of the part to check, if not the whole page. */
  within?: string
}

/** What axe finds wrong on this page: each rule with the HTML of the elements that break it. */
export async function axeViolations(
  page: Page,
  { colorScheme = 'light', within }: Options = {},
): Promise<string[]> {
  // What fades in or out has not yet, or no longer, the contrast it is drawn with; so has a toast that comes meanwhile.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await animationsEnded(page)
  // Without this mode axe opens a page of its own for each check, for the sake of frames; there are none.
  const axe = new AxeBuilder({ page }).setLegacyMode(true)
  if (within) axe.include(within)
  if (colorScheme === 'dark') axe.withRules('color-contrast')
  const { violations } = await axe.analyze()
  await page.emulateMedia({ reducedMotion: null })
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`)
}

const animationsEnded = (page: Page) =>
  page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
