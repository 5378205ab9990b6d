import { expect } from '@playwright/test'
import { openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

const fixture = serverFixture()
const api = serverApi(fixture)

/* Without a service worker, a chunk not loaded before the network is lost cannot be loaded. */

test('a toast that cannot be drawn offline leaves the screen as it is, and appears once online', async ({
  browser,
}) => {
  const page = await openPhone(browser, api, undefined, { origin: `${fixture().origin}/auth` })
  const context = page.context()
  const email = page.getByLabel('Email')
  await expect(email).toBeVisible()
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await email.fill('esi@example.com')
  await page.getByLabel('Password').fill('not sent anywhere')
  const failed = page.waitForEvent('requestfailed', (request) => /toaster/.test(request.url()))
  await page.getByRole('tabpanel').getByRole('button', { name: 'Login' }).click()
  await failed
  // Which of the two it says depends on what else was loaded before.
  await expect(page.getByText(/^(No connection right now|Something went wrong)/)).toBeVisible()
  await expect(page.locator('[data-toast]')).toHaveCount(0)

  await context.setOffline(false)
  await expect(page.locator('[data-toast=destructive]')).toBeVisible()
  await expect(email).toHaveValue('esi@example.com')
  await context.close()
})
