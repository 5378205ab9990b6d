import { expect } from '@playwright/test'
import { navigateTo, openPhone } from './helpers/page/open-phone.ts'
import { serverApi } from './helpers/server/server-api.ts'
import { serverFixture, test } from './helpers/server/server-fixture.ts'

const fixture = serverFixture()
const api = serverApi(fixture)

test('R81: One toast at a time, announced, gone after five seconds in which nobody reads it', async ({
  browser,
}) => {
  const page = await openPhone(browser, api, undefined, { origin: fixture().origin, clock: true })
  const toasts = page.locator('[data-toast]')
  await navigateTo(page, '/drive')
  await expect(toasts).toHaveText([/^Login Required/])
  await expect(page.getByRole('alert').filter({ has: toasts })).toHaveCount(1)
  await navigateTo(page, '/delivery/019352f0-0000-7000-8000-000000000000')
  await expect(toasts).toHaveText([/^Session Expired/])
  const dismiss = toasts.getByRole('button', { name: 'Dismiss' })
  await dismiss.focus()
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
  await expect(toasts).toHaveCount(1)
  await dismiss.blur()
  await page.clock.runFor(4_999)
  await expect(toasts).toHaveCount(1)
  await page.clock.runFor(1)
  await expect(toasts).toHaveCount(0)
  await page.context().close()
})
