import { expect, type Page } from '@playwright/test'
import { asTimePasses } from '../../../e2e/helpers/page/page-actions.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { hold } from '../../../e2e/loading/hold.ts'

/*
 * A guest's Home stands in index.html (src/first-page.tsx): it is seen and its links work before any script. Everybody
 * else, and every other screen, finds a skeleton.
 */

const fixture = serverFixture()
test.use({ serviceWorkers: 'block' })
const everything = '**/assets/*'
const first = (page: Page) => page.locator('#first')

test('A script that did not come is loaded again once it can be had', async ({ page }) => {
  await page.clock.install()
  let isDown = true
  let asked = 0
  await page.route('**/assets/packages-*.js', (route) => {
    asked++
    return isDown ? route.abort() : route.continue()
  })
  await page.goto(`${fixture().origin}/send`)
  await expect(page.locator('#skeleton')).toBeVisible()
  await asTimePasses(page, async () => asked).toBeGreaterThan(2)
  isDown = false
  await asTimePasses(page, () => page.locator('#main').isVisible(), 10_000).toBe(true)
})

test('A script that a newer release has removed leads to that release', async ({ page }) => {
  await page.clock.install()
  let asked = 0
  await page.route('**/assets/packages-*.js', (route) => {
    asked++
    // The page that is loaded again names another file, which comes.
    return asked > 2 ? route.continue() : route.fulfill({ status: 404, body: 'gone' })
  })
  await page.goto(`${fixture().origin}/send`)
  await asTimePasses(page, () => page.locator('#main').isVisible()).toBe(true)
})

test('It is shown to nobody else, and on no other screen', async ({ page }) => {
  for (const [path, item] of [
    ['/send', undefined],
    ['/', 'token'],
  ] as const) {
    await page.unrouteAll()
    await page.goto(`${fixture().origin}/robots.txt`)
    await page.evaluate((name) => {
      localStorage.clear()
      if (name) localStorage.setItem(name, 'true')
    }, item)
    const release = await hold(page, everything)
    await page.goto(fixture().origin + path, { waitUntil: 'commit' })
    await expect(page.locator('#skeleton')).toBeVisible()
    await expect(first(page)).toBeHidden()
    release()
    await expect(first(page)).toHaveCount(0)
  }
})
