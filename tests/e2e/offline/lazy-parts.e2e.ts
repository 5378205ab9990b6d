import { expect } from '@playwright/test'
import { openPhone } from '../helpers/page/open-phone.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'

const fixture = serverFixture()
const api = serverApi(fixture)

/* Without a service worker, a chunk not loaded before the network is lost cannot be loaded. */

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
