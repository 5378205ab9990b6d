import { expect, type Page } from '@playwright/test'
import { offline, online, toast } from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { atRoom, tripTo } from '../../../e2e/returns/return-actions.ts'

const fixture = serverFixture({ env: { LIMITS: '{"deliveryCode": 1000}' } })
const api = serverApi(fixture)

const codeOf = (page: Page) => page.getByRole('region', { name: 'Delivery code' })

test('R135: After fifteen wrong codes the sender gets a new one, also offline, and shares it again', async ({
  browser,
}) => {
  const { sender, driver, made } = await tripTo(api, 'Picked Up')
  const wrong = made.deliveryCode === '00000' ? '00001' : '00000'
  const about = { token: driver.token, id: made.ID }
  for (let n = 0; n < 15; n++)
    await expect(api.ask('completeDelivery', { ...about, body: { code: wrong } })).rejects.toThrow()
  const home = await atRoom(browser, api, fixture(), sender, made, { serviceWorkers: 'allow' })
  const page = await atRoom(browser, api, fixture(), driver, made)
  await expect(codeOf(home)).toContainText('The delivery code is locked')
  await expect(page.getByText('The code is locked')).toBeVisible()
  await screenshot(home, 'trust-8-code-locked')
  await screenshot(page, 'trust-9-driver-locked')

  await offline(home)
  await codeOf(home).getByRole('button', { name: 'New code' }).click()
  await expect(codeOf(home)).toContainText("Your new code appears when you're online")
  await screenshot(home, 'trust-10-new-code-waits')
  await online(home)
  await expect(codeOf(home)).toContainText('A new code. Share it only with the recipient, again')
  const code = (await home.getByTestId('delivery-code').textContent()) ?? ''
  expect(code).toMatch(/^\d{5}$/)
  expect(code).not.toBe(made.deliveryCode)
  await screenshot(home, 'trust-11-new-code')
  await expect(page.getByText('The code is locked')).toHaveCount(0)
  await page.getByLabel('Delivery code').fill(code)
  await page.getByRole('button', { name: 'Complete Delivery' }).click()
  await expect(toast(page, 'Delivery completed')).toBeVisible()
  for (const each of [home, page]) await each.context().close()
})
