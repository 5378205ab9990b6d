import { expect } from '@playwright/test'
import { openPhone } from '../helpers/page/open-phone.ts'
import { acceptJob, card } from '../helpers/page/page-actions.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'

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

test('a screen that cannot be loaded offline or on a dead connection says so, keeps the page, and opens once online', async ({
  browser,
}) => {
  const page = await openPhone(browser, api, undefined, { origin: fixture().origin })
  await page.waitForLoadState('networkidle')
  let loads = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads++
  })
  const send = page.getByRole('link', { name: 'Send a Package' })
  const expectUnavailable = async () => {
    await send.click()
    await expect(page.getByRole('alert').getByText('Temporarily unavailable')).toBeVisible()
    await page.getByRole('link', { name: 'Home' }).first().click()
    await expect(page.getByRole('heading', { name: 'Welcome to Soma' })).toBeVisible()
  }
  await page.context().setOffline(true)
  await expectUnavailable()
  await page.context().setOffline(false)
  // Unlike without any network, the browser does not know of it.
  fixture().proxy.set({ kind: 'cut' })
  await expectUnavailable()
  expect(loads).toBe(0)
  fixture().proxy.set({ kind: 'fine' })
  await send.click()
  await expect(page.getByRole('radio', { name: 'Other' })).toBeAttached()
  await page.context().close()
})

test('a job that is accepted offline is shown as the active one', async ({ browser }) => {
  const sender = await api.createAccount('Esi Boateng', 'sender')
  await api.createDelivery(sender, { itemDescription: 'Radio' })
  const driver = await api.createDriver('Kwame Adu')
  const page = await openPhone(browser, api, driver, { origin: fixture().origin })
  const parts = [/now-cards/, /room-/].map((name) => page.waitForResponse(name))
  await page.goto(`${fixture().origin}/drive`)
  await Promise.all([...parts, expect(card(page, 'Radio')).toBeVisible()])
  await page.context().setOffline(true)
  await acceptJob(page, 'Radio')
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'My Active Delivery' })).toBeVisible()
  await page.context().close()
})
