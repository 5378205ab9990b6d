import { expect, type Page } from '@playwright/test'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'
import { hold } from './hold.ts'

/*
 * A guest's Home stands in index.html (src/first-page.tsx): it is seen and its links work before any script. Everybody
 * else, and every other screen, finds a skeleton.
 */

const fixture = serverFixture()
test.use({ serviceWorkers: 'block' })

const scripts = '**/assets/*.js'
const first = (page: Page) => page.locator('#first')

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
