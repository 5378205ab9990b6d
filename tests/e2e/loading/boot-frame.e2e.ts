import { expect, type Page } from '@playwright/test'
import { cacheVersion } from '#domain/product.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'
import { hold } from './hold.ts'
import { asKnownVisitor, framesLookTheSame } from './same-look.ts'

/* The frame that index.html draws before any script or stylesheet has come; of Home, to whoever is no new guest. */

const fixture = serverFixture()
test.use({ serviceWorkers: 'block' })

framesLookTheSame(
  fixture,
  [{ colorScheme: 'light', width: 360 }],
  ['/', '/send', '/delivery/x', '/admin'],
)

test('The header, the tab bar and the head of the content stand where the first frame had them', async ({
  page,
}) => {
  await page.addInitScript(asKnownVisitor, cacheVersion)
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    for (const path of ['/', '/send', '/auth', '/outbox']) {
      await page.unrouteAll()
      const runScripts = await hold(page, '**/assets/*.js')
      await page.goto(fixture().origin + path, { waitUntil: 'commit' })
      await expect(page.locator('.boot-main')).toBeVisible()
      const before = await boxes(page, ['.boot-top', '.boot-tabs', '.boot-blocks'])
      runScripts()
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      const after = await boxes(page, ['header', 'nav[aria-label=Tabs]', '#main > *'])
      expect(after, `${path} at ${width}`).toEqual(before)
    }
  }
})

/** Left, top and right of each element; of bars also the bottom. */
const boxes = (page: Page, selectors: string[]) =>
  page.evaluate(
    (all) =>
      all.map((selector) => {
        const element = document.querySelector(selector)
        const { left, top, right, bottom } = element?.getBoundingClientRect() ?? new DOMRect()
        const isBar = getComputedStyle(element ?? document.body).display !== 'grid'
        return [left, top, right, isBar ? bottom : 0].map(Math.round)
      }),
    selectors,
  )
