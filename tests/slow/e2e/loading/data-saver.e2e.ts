import { expect } from '@playwright/test'
import { axeViolations } from '../../../e2e/helpers/page/axe.ts'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { fillRequest, submitRequest } from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

/* What prepaid data goes into: thumbnails in lists, whole photos when they are wanted, uploads on Wi-Fi. */

const fixture = serverFixture()
const api = serverApi(fixture)
const at = () => ({ origin: fixture().origin })

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
