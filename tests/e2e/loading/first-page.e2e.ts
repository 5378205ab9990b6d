import { expect, type Page } from '@playwright/test'
import { asTimePasses } from '../helpers/page/page-actions.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'
import { hold } from './hold.ts'
import { homeLooksTheSame, skeletonIsSteady } from './same-look.ts'

/*
 * A guest's Home stands in index.html (src/first-page.tsx): it is seen and its links work before any script. Everybody
 * else, and every other screen, finds a skeleton.
 */

const fixture = serverFixture()
test.use({ serviceWorkers: 'block' })

const scripts = '**/assets/*.js'
const everything = '**/assets/*'
const first = (page: Page) => page.locator('#first')

homeLooksTheSame(fixture, [{ colorScheme: 'light', width: 360 }])

skeletonIsSteady(fixture, [{ colorScheme: 'light', width: 360 }])

test('Without any script, Home is there and leads on', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(fixture().origin)
  await expect(page.getByRole('heading', { name: 'Welcome to Soma' })).toBeVisible()
  await page.getByRole('link', { name: 'Become a Driver' }).click()
  await expect(page).toHaveURL(/\/auth\?tab=signup&role=driver$/)
  await page.goto(fixture().origin)
  await page.getByRole('link', { name: 'Send a Package' }).click()
  await expect(page).toHaveURL(/\/send$/)
  await context.close()
})

test('A button that was pressed before the app was there does what it says once it is', async ({
  page,
}) => {
  const release = await hold(page, scripts)
  await page.goto(fixture().origin, { waitUntil: 'commit' })
  await first(page).getByRole('button', { name: 'How It Works' }).click()
  release()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.reload()
  await expect(first(page)).toHaveCount(0)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

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
