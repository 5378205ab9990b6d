import { expect, test } from '@playwright/test'
import { submitRequest } from '../e2e/helpers/page/page-actions.ts'
import { become, demoHost, network, openDemo } from '../e2e/helpers/server/demo-host.ts'
import { take } from './take.ts'

/* The README's screenshots of the demo: its bar, its roles and its tour. */

const host = demoHost()

test('The demo', async ({ page }) => {
  await openDemo(page, host())
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByRole('button', { name: /^Demo: you are/ }).click()
  await take(page, 'demo-people')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: /^Tour/ }).click()
  const tour = page.getByRole('region', { name: 'Guided tour' })
  await tour.getByRole('button', { name: /^Become Esi/ }).click()
  await network(page, 'off')
  await submitRequest(page)
  await expect(tour.getByRole('status')).toContainText('It is not sent yet')
  await take(page, 'demo-tour')

  await tour.getByRole('button', { name: /^Leave the tour/ }).click()
  await network(page, 'on')
  await become(page, 'Driver')
  await expect(page.locator('#main article img').first()).toBeVisible()
  await take(page, 'demo-drive')
})
