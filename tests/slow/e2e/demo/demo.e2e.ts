import { expect, type Page, test } from '@playwright/test'
import { referenceOf } from '#domain/deliveries/reference.ts'
import {
  acceptJob,
  codeShown,
  fillRequest,
  kofi,
  submitRequest,
  toast,
} from '../../../e2e/helpers/page/page-actions.ts'
import {
  become,
  demoHost,
  network,
  openDemo,
  watchStrays,
} from '../../../e2e/helpers/server/demo-host.ts'

const host = demoHost()
test.beforeEach(({ context }) => watchStrays(context, host()))
// The demo requests nothing but files of its own folder.
test.afterEach(() => expect(host().strays).toEqual([]))

test('One tester takes a delivery through all roles, from the request to the payment', async ({
  page,
}) => {
  await openDemo(page, host(), 'send')
  await fillRequest(page, { item: 'Wedding cloth', offer: '85.50' }, kofi)
  const id = await submitRequest(page)
  const code = await codeShown(page)

  await become(page, 'Driver')
  await expect(page).toHaveURL(`${host().home}drive`)
  const job = page.getByRole('article', { name: 'Wedding cloth' })
  await expect(job.getByRole('img', { name: 'Wedding cloth' })).toBeVisible()
  await acceptJob(page, 'Wedding cloth')
  await page.getByRole('button', { name: 'Mark as Picked Up' }).click({ timeout: 20_000 })
  await page.getByLabel('Delivery code').fill(wrong(code))
  await page.getByRole('button', { name: 'Complete Delivery' }).click()
  await expect(
    page.locator('#main').getByText('Wrong code. Check it with the recipient.'),
  ).toBeVisible()
  await page.getByLabel('Delivery code').fill(code)
  await page.getByRole('button', { name: 'Complete Delivery' }).click()
  await expect(toast(page, 'Delivery completed')).toBeVisible()

  await become(page, 'Guest')
  await page.getByRole('link', { name: 'Track My Delivery' }).first().click()
  await page.getByRole('button', { name: 'Approve Delivery' }).click()
  await page.getByRole('button', { name: 'Approve and pay' }).click()
  await expect(toast(page, 'Status Updated')).toBeVisible({ timeout: 20_000 })

  await become(page, 'Admin')
  await page.goto(`${host().home}admin/deliveries`)
  await page.getByPlaceholder('Search all deliveries...').fill('Wedding cloth')
  const found = page.locator('#main').getByRole('button', { name: /Wedding cloth/ })
  await expect(found).toContainText('Approved')
  await found.click()
  await expect(page.getByRole('dialog')).toContainText(referenceOf(id))
  await expect(page.getByRole('dialog')).toContainText('GH₵ 85.50')
})

test('On a lossy network a request arrives exactly once', async ({ page }) => {
  test.setTimeout(120_000)
  // As many losses as by chance, and never many in a row.
  await page.addInitScript(() => {
    let last = 0
    Math.random = () => {
      last = (last + 0.618034) % 1
      return last
    }
  })
  await openDemo(page, host(), 'send')
  await page.getByRole('button', { name: /^Demo: you are/ }).click()
  await page.getByRole('dialog').getByText('Lossy', { exact: true }).click()
  await page.keyboard.press('Escape')
  await fillRequest(page, { item: 'Sewing machine' }, kofi)
  await submitRequest(page)
  await expect(page.getByTestId('delivery-code')).toHaveText(/^\d{5}$/, { timeout: 90_000 })
  await network(page, 'off')
  await network(page, 'on')
  await become(page, 'Admin')
  expect(await found(page, 'Sewing machine')).toBe(1)
})

/** Any other code of five digits. */
const wrong = (code: string) => String((Number(code) + 1) % 100_000).padStart(5, '0')

/** How many deliveries of that name the admin finds. */
async function found(page: Page, item: string): Promise<number> {
  await page.goto(`${host().home}admin/deliveries`)
  await page.getByPlaceholder('Search all deliveries...').fill(item)
  const lines = page.locator('#main').getByRole('button', { name: new RegExp(item) })
  await expect(lines.first().or(page.getByText('No deliveries found.'))).toBeVisible()
  return lines.count()
}
