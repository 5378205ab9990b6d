import { expect, test } from '@playwright/test'
import { offline } from '../helpers/page/page-actions.ts'
import { become, demoHost, ready, watchStrays } from '../helpers/server/demo-host.ts'

const host = demoHost()
test.beforeEach(({ context }) => watchStrays(context, host()))
// The demo requests nothing but files of its own folder.
test.afterEach(() => expect(host().strays).toEqual([]))

test('A deep link opens its screen on the first visit, and from the second visit on the demo works with no network', async ({
  page,
  context,
}) => {
  await page.goto(`${host().home}auth?tab=signup`)
  await expect(page.getByRole('tab', { name: 'Sign Up' })).toHaveAttribute('aria-selected', 'true')
  await expect(page).toHaveURL(`${host().home}auth?tab=signup`)
  // The host itself gets the first request, before the service worker is installed.
  expect(host().strays.splice(0)).toEqual(['GET /some/where/auth'])
  await ready(page)
  await offline(context)
  await page.goto(`${host().home}admin`)
  await become(page, 'Driver')
  const picture = page.locator('#main article img').first()
  await expect(picture).toBeVisible()
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).not.toBe(0)
  // A screen that was never opened before, by its address.
  await page.goto(`${host().home}profile`)
  await expect(page.getByRole('heading', { name: 'Account', level: 1, exact: true })).toBeVisible()
})
