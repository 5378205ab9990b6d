import { expect, type Page } from '@playwright/test'
import { axeViolations } from '../../../e2e/helpers/page/axe.ts'
import { openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

/* Chromium without a screen makes no offer to install: the event is the browser's own, fired by the test. */

const fixture = serverFixture()
const api = serverApi(fixture)
const card = (page: Page) => page.getByRole('region', { name: 'Add Soma to your home screen' })
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Mobile/15E148 Safari/604.1'

/** The browser offers to install the app; the person answers as said. */
const offer = (page: Page, outcome: 'accepted' | 'dismissed') =>
  page.evaluate((outcome) => {
    const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
      prompt: async () => void document.body.setAttribute('data-prompted', 'yes'),
      userChoice: Promise.resolve({ outcome }),
    })
    dispatchEvent(event)
    return event.defaultPrevented
  }, outcome)

test('Installing is offered after the first request, and not again once it was declined', async ({
  browser,
}) => {
  const { origin } = fixture()
  const ama = await api.createAccount('Ama Sender', 'sender')
  const page = await openPhone(browser, api, ama, { origin })
  expect(await offer(page, 'dismissed')).toBe(true)
  await expect(card(page)).toHaveCount(0)

  await api.createDelivery(ama, { itemDescription: 'Documents' })
  await expect(card(page)).toBeVisible()
  await screenshot(page, 'installed-3-card')
  expect(await axeViolations(page, { within: 'main' })).toEqual([])
  await card(page).getByRole('button', { name: 'Install' }).click()
  await expect(page.locator('body')).toHaveAttribute('data-prompted', 'yes')
  await expect(card(page)).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('link', { name: /Documents/ }).first()).toBeVisible()
  await offer(page, 'accepted')
  await expect(card(page)).toHaveCount(0)
  await page.context().close()
})

test('On an iPhone a sheet shows how to install by hand', async ({ browser }) => {
  const { origin } = fixture()
  const ama = await api.createAccount('Ama Sender', 'sender')
  await api.createDelivery(ama, { itemDescription: 'Documents' })
  const page = await openPhone(browser, api, ama, { origin, userAgent: iphone })
  await card(page).getByRole('button', { name: 'Show me how' }).click()
  const sheet = page.getByRole('dialog', { name: 'Add to Home Screen' })
  await expect(sheet.getByRole('listitem')).toHaveCount(3)
  await screenshot(page, 'installed-4-iphone')
  expect(await axeViolations(page)).toEqual([])
  await sheet.getByRole('button', { name: 'Got it' }).click()
  await card(page).getByRole('button', { name: 'Not now' }).click()
  await expect(card(page)).toHaveCount(0)
  await page.context().close()
})
