import { expect, type Page } from '@playwright/test'
import { navigateTo, openPhone } from '../helpers/page/open-phone.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'

/* Whom people call for help, and the terms of service. */

const terms = 'https://soma.example/terms'
const fixture = serverFixture({ env: { SUPPORT_PHONE: '0302123456', TERMS_URL: terms } })
const api = serverApi(fixture)
const at = () => ({ origin: fixture().origin })

const line = (page: Page) => page.getByRole('link', { name: /help line/ })
const link = (page: Page) => page.getByRole('link', { name: 'Terms of service' })

test('R162: The help line and the terms stand where people need them, also offline', async ({
  browser,
}) => {
  const page = await openPhone(browser, api, undefined, { ...at(), serviceWorkers: 'allow' })
  await expect(line(page)).toHaveAttribute('href', 'tel:0302123456')
  await expect(line(page)).toContainText('0302 123 456')
  await expect(link(page)).toHaveAttribute('href', terms)
  await screenshot(page, 'help-1-guest')
  await navigateTo(page, '/auth?tab=signup')
  await expect(page.getByText('By signing up you agree to our')).toBeVisible()
  await expect(link(page)).toHaveAttribute('href', terms)
  await screenshot(page, 'help-2-signup')
  await page.context().setOffline(true)
  await page.goto(fixture().origin)
  await expect(line(page)).toBeVisible()
  await page.context().close()

  const ama = await api.createAccount('Ama Sender', 'sender')
  const made = await api.createDelivery(ama, {})
  const home = await openPhone(browser, api, ama, at())
  await navigateTo(home, '/profile')
  await expect(line(home)).toBeVisible()
  await expect(link(home)).toBeVisible()
  await screenshot(home, 'help-3-account')
  await navigateTo(home, `/delivery/${made.ID}`)
  await home.getByRole('button', { name: 'Report an issue' }).click()
  await expect(home.getByRole('dialog').getByRole('link', { name: /help line/ })).toBeVisible()
  await screenshot(home, 'help-4-report')
  await home.context().close()

  const yaw = await openPhone(browser, api, await api.createAccount('Yaw New', 'driver'), at())
  await navigateTo(yaw, '/driver-pending')
  await expect(line(yaw)).toBeVisible()
  await screenshot(yaw, 'help-5-pending')
  await yaw.context().close()
})
