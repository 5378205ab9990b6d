import { expect, type Page } from '@playwright/test'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { admin } from '../../../helpers/server/app-server.ts'

/* Whom people call for help, and the terms of service. */

const terms = 'https://soma.example/terms'
const fixture = serverFixture({
  env: { SUPPORT_PHONE: '0302123456', TERMS_URL: terms, IDEMPOTENCY_DAYS: '30' },
})
const api = serverApi(fixture)
const at = () => ({ origin: fixture().origin })

const line = (page: Page) => page.getByRole('link', { name: /help line/ })
const link = (page: Page) => page.getByRole('link', { name: 'Terms of service' })

test('R162: The help line and the terms stand where people need them, also offline', async ({
  browser,
}) => {
  const page = await openPhone(browser, api, undefined, { ...at(), serviceWorkers: 'allow' })
  /** Somebody else uses this phone. */
  const becomes = async (token: string, heading: string) => {
    await page.evaluate((given) => {
      localStorage.removeItem('user')
      localStorage.setItem('token', given)
    }, token)
    await page.goto(fixture().origin)
    await expect(page.getByRole('heading', { name: heading })).toBeVisible()
  }
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
  await page.context().setOffline(false)

  const ama = await api.createAccount('Ama Sender', 'sender')
  const made = await api.createDelivery(ama, {})
  await becomes(ama.token, 'Welcome back, Ama Sender')
  await navigateTo(page, '/profile')
  await expect(line(page)).toBeVisible()
  await expect(link(page)).toBeVisible()
  await screenshot(page, 'help-3-account')
  await navigateTo(page, `/delivery/${made.ID}`)
  await page.getByRole('button', { name: 'Report an issue' }).click()
  await expect(page.getByRole('dialog').getByRole('link', { name: /help line/ })).toBeVisible()
  await screenshot(page, 'help-4-report')

  const yaw = await api.createAccount('Yaw New', 'driver')
  await becomes(yaw.token, 'Driver Application Pending')
  await navigateTo(page, '/driver-pending')
  await expect(line(page)).toBeVisible()
  await screenshot(page, 'help-5-pending')
  await page.context().close()
})

test('R204, R218, R227: What the office writes of help, terms and privacy stands at Home, the sign-up and the first request, also offline', async ({
  browser,
}) => {
  const { token } = await api.ask('login', { body: admin })
  const settings = { whatsapp: '0244123456', terms: 'Be kind.', privacy: 'We are in Accra.' }
  await api.ask('changeSettings', { token, body: settings })
  const page = await openPhone(browser, api, undefined, { ...at(), serviceWorkers: 'allow' })
  const read = async (name: string, text: string) => {
    await page.getByRole('button', { name }).click()
    await expect(page.getByRole('dialog')).toContainText(text)
    await page.keyboard.press('Escape')
  }
  const chat = page.getByRole('link', { name: /on WhatsApp/ })
  await expect(chat).toHaveAttribute('href', 'https://wa.me/233244123456')
  await read('Terms of service', 'Be kind.')
  await screenshot(page, 'help-6-office')
  await navigateTo(page, '/auth?tab=signup')
  await read('Terms of service', 'Be kind.')
  await page.context().setOffline(true)
  await page.goto(fixture().origin)
  await expect(chat).toBeVisible()
  await read('Terms of service', 'Be kind.')
  await navigateTo(page, '/auth?tab=signup')
  await read('How we use your data', 'We are in Accra.')
  await page.getByRole('button', { name: 'How we use your data' }).click()
  const kept = page.getByRole('dialog').locator('dl > div')
  await expect(kept.filter({ hasText: 'request keys' })).toContainText('30 days')
  await screenshot(page, 'help-7-privacy')
  await page.context().close()
})
