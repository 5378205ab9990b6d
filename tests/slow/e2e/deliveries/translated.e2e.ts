import { expect, type Page } from '@playwright/test'
import { openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import {
  acceptJob,
  card,
  codeShown,
  fillRequest,
  nextStep,
  sayPaid,
  submitRequest,
} from '../../../e2e/helpers/page/page-actions.ts'
import { translate } from '../../../e2e/helpers/page/translate.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { admin as login } from '../../../helpers/server/app-server.ts'

const fixture = serverFixture()
const api = serverApi(fixture)

test('R156: In a page that the browser translates, a sender, a driver and an admin get through a delivery', async ({
  browser,
}) => {
  const item = 'Crate of eggs'
  const esi = await api.createAccount('Esi Sender', 'sender')
  const kojo = await api.createDriver('Kojo Driver')
  const open = (person: { token: string }, path: string) =>
    openPhone(browser, api, person, {
      origin: `${fixture().origin}${path}`,
      clock: true,
      prepare: translate,
    })

  const sender = await open(esi, '/send')
  await fillRequest(sender, { item })
  await submitRequest(sender)
  const code = await codeShown(sender)
  expect(await api.deliveryNamed(item)).toMatchObject({ pickupZone: 'Osu', dropoffZone: 'Tema' })
  await isVerbatim(sender, code, 'Osu', 'Tema')

  const driver = await open(kojo, '/drive')
  await driver.getByRole('button', { name: 'Your way' }).click()
  await driver.getByLabel('Current zone').selectOption('Osu')
  await driver.getByLabel('Destination zone').selectOption('Tema')
  await driver.getByRole('button', { name: 'Find Deliveries' }).click()
  await expect(driver.getByRole('button', { name: 'Osu → Tema' })).toBeVisible()
  await acceptJob(driver, item)
  await becomes(item, 'Accepted')
  await expect(nextStep(driver)).toContainText('Pick up from Esi in Osu')
  await driver.getByRole('button', { name: 'Mark as Picked Up' }).click()
  await becomes(item, 'Picked Up')
  await isVerbatim(driver, '0550000001')
  await driver.getByLabel('Delivery code').fill(code)
  await driver.getByRole('button', { name: 'Complete Delivery' }).click()
  await becomes(item, 'Delivered')
  await expect(nextStep(driver)).toContainText('₵60 waiting for approval')

  await sender.goto(fixture().origin)
  await card(sender, item).getByRole('button', { name: 'Confirm and pay' }).click()
  await sayPaid(sender, 'momo')
  await becomes(item, 'Approved')
  await expect(card(sender, item)).toBeHidden()

  const admin = await open(await api.ask('login', { body: login }), '/admin/deliveries')
  await admin.getByRole('button', { name: 'Filters' }).click()
  await admin.getByLabel('Pickup zone').selectOption('Osu')
  await expect(admin.getByRole('button', { name: 'Filters (1)' })).toBeVisible()
  // A text beside another one goes.
  await admin.getByRole('button', { name: 'Clear filters' }).click()
  await expect(admin.getByRole('button', { name: 'Filters', exact: true })).toBeVisible()
  await admin.getByRole('button', { name: new RegExp(item) }).click()
  await expect(admin.getByRole('heading', { name: item })).toBeVisible()
  for (const page of [sender, driver, admin]) await page.context().close()
})

const becomes = (item: string, status: string) =>
  expect.poll(async () => (await api.deliveryNamed(item)).status).toBe(status)

/** None of these texts was touched. */
async function isVerbatim(page: Page, ...texts: string[]) {
  for (const text of texts) {
    const shown = page.getByText(text, { exact: true }).first()
    await expect(shown).toBeVisible()
    expect(await shown.evaluate((element) => element.localName)).not.toBe('font')
  }
}
