import { expect, type Page } from '@playwright/test'
import { axeViolations } from '../../../e2e/helpers/page/axe.ts'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { fillRequest, openJob, submitRequest } from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

/* What prepaid data goes into: thumbnails in lists, whole photos when they are wanted, uploads on Wi-Fi. */

const fixture = serverFixture()
const api = serverApi(fixture)
const at = () => ({ origin: fixture().origin })

/** Requests for whole photos and for thumbnails from now on. */
function photosOf(page: Page) {
  const asked = { whole: 0, thumbnails: 0 }
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/images/thumbnails/')) asked.thumbnails++
    else if (/^\/api\/images\/[0-9a-f]/.test(pathname)) asked.whole++
  })
  return asked
}

test('R122: Lists load thumbnails; with the data saver on a whole photo is loaded when it is tapped', async ({
  browser,
}) => {
  const ama = await api.createAccount('Ama Sender', 'sender')
  await api.createDelivery(ama, { itemDescription: 'Drum', itemPhoto: await api.uploadPhoto() })
  const page = await openPhone(browser, api, await api.createDriver('Yaw Boateng'), at())
  const asked = photosOf(page)
  await navigateTo(page, '/drive')
  await expect(page.getByRole('article', { name: 'Drum' }).locator('img')).toBeVisible()
  await expect.poll(() => asked.thumbnails).toBe(1)
  expect(asked.whole).toBe(0)
  await openJob(page, 'Drum')
  await expect.poll(() => asked.whole).toBe(1)

  await navigateTo(page, '/outbox')
  const section = page.getByRole('region', { name: 'Mobile data' })
  await section.locator('label').filter({ hasText: 'Data saver' }).click()
  await expect(section.getByRole('switch', { name: 'Data saver' })).toBeChecked()
  await screenshot(page, 'data-1-switch')
  expect(await axeViolations(page)).toEqual([])
  await page.reload()
  await navigateTo(page, '/drive')
  const before = asked.whole
  await openJob(page, 'Drum')
  const load = page.getByRole('dialog').getByRole('button', { name: 'Load photo' })
  await expect(load).toBeVisible()
  await screenshot(page, 'data-2-tap')
  expect(asked.whole).toBe(before)
  await load.click()
  await expect(page.getByRole('dialog').getByRole('img', { name: 'Drum' })).toBeVisible()
  await expect.poll(() => asked.whole).toBe(before + 1)
  await page.context().close()
})

test('S62: A photo waits for Wi-Fi where the person chose so, and is sent on mobile data when they say so', async ({
  browser,
}) => {
  const ama = await api.createAccount('Ama Sender', 'sender')
  const page = await openPhone(browser, api, ama, {
    ...at(),
    // The type of network is the phone's: a desktop's Chromium names none.
    prepare: (page) =>
      page.addInitScript(() =>
        Object.defineProperty(
          Object.getPrototypeOf((navigator as unknown as { connection: object }).connection),
          'type',
          { get: () => 'cellular' },
        ),
      ),
  })
  await navigateTo(page, '/outbox')
  await page.locator('label').filter({ hasText: 'Upload photos on Wi-Fi only' }).click()
  await navigateTo(page, '/send')
  await fillRequest(page, { item: 'Kente' })
  await submitRequest(page)
  await expect(page.getByText('The photo waits for Wi-Fi.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Not sent yet · sends on Wi-Fi' })).toBeVisible()
  await expect(page.getByText("sends when you're online")).toHaveCount(0)
  await screenshot(page, 'data-3-wifi')
  expect(await axeViolations(page)).toEqual([])
  expect(await api.deliveriesNamed('Kente')).toEqual([])
  await page.getByRole('button', { name: 'Send on mobile data' }).click()
  await expect.poll(async () => (await api.deliveriesNamed('Kente')).length).toBe(1)
  await expect(page.getByText('The photo waits for Wi-Fi.')).toHaveCount(0)
  await page.context().close()
})
