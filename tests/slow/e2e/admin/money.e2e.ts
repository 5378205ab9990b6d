import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { referenceOf } from '#domain/deliveries/reference.ts'
import { expectAccessible } from '../../../e2e/helpers/page/expect-accessible.ts'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { admin } from '../../../helpers/server/app-server.ts'

// What was delivered is approved by itself at once.
const fixture = serverFixture({ env: { AUTO_APPROVE_HOURS: '0' } })
const api = serverApi(fixture)

test('R183, R184: The payout of an automatic approval is marked as paid, with its reference and its amount', async ({
  browser,
}) => {
  const sender = await api.createAccount('Ama Pays', 'sender')
  const driver = await api.createDriver('Yaw Earns')
  const made = await api.createDelivery(sender, { offer: 60 })
  await api.completeDelivery(driver, made)
  // It looks for what is due when it starts.
  await fixture().server.restart()
  const { token } = await api.ask('login', { body: admin })
  await expect.poll(async () => (await api.ask('adminPayouts', { token })).payouts.length).toBe(1)
  const page = await openPhone(browser, api, { token }, { origin: fixture().origin })
  await navigateTo(page, '/admin/money')
  const figures = page.getByRole('region', { name: 'Figures' })
  await expect(figures).toContainText('Not paid yetGH₵ 60.00')
  await expect(figures).toContainText('Together GH₵ 60.00: all that was promised.')
  await expect(page.getByRole('figure', { name: 'Promised by day' })).toBeVisible()
  const list = page.getByRole('region', { name: 'Payouts to drivers' })
  const card = list.getByRole('listitem')
  await expect(card).toContainText('GH₵ 60.00')
  await expect(card.getByRole('link', { name: 'Yaw Earns' })).toBeVisible()
  await expect(
    card.getByRole('link', { name: `Delivery ${referenceOf(made.ID)}` }),
  ).toHaveAttribute('href', new RegExp(`open=${made.ID}`))
  await expectAccessible(page, 'admin money')

  await card.getByRole('button', { name: 'Mark as paid' }).click()
  const dialog = page.getByRole('dialog', { name: 'Mark as paid?' })
  await dialog.getByRole('button', { name: 'Mark as paid' }).click()
  await expect(dialog).toContainText('Enter the reference of the payment.')
  await dialog.getByLabel('Reference').fill('MP 240.1')
  await dialog.getByLabel('Amount in cedis').fill('59')
  await dialog.getByRole('button', { name: 'Mark as paid' }).click()
  await expect(dialog).toContainText('This payout is GH₵ 60.00. Type that amount.')
  await expectAccessible(page, 'admin money dialog')
  await dialog.getByLabel('Amount in cedis').fill('60')
  await dialog.getByRole('button', { name: 'Mark as paid' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('₵60 to Yaw Earns is marked as paid.')).toBeVisible()
  await expect(list).toContainText('Nothing to pay')
  await expect(figures).toContainText('Paid by sendersGH₵ 60.00')

  await list.getByRole('button', { name: 'Paid', exact: true }).click()
  await expect(page).toHaveURL(/status=paid/)
  await expect(card).toContainText('Reference: MP 240.1')
  const download = page.waitForEvent('download')
  await list.getByRole('button', { name: 'Download CSV' }).click()
  const csv = readFileSync(await (await download).path(), 'utf8')
  expect(csv).toContain('Yaw Earns,60.00,paid,MP 240.1')
  await page.getByRole('button', { name: 'Show as table' }).click()
  await expect(page.getByRole('table').locator('tbody tr').first()).toContainText('GH₵ 60.00')

  await card.getByRole('link', { name: /^Delivery / }).click()
  const panel = page.getByRole('definition').filter({ hasText: /^Paid$/ })
  await expect(panel).toBeVisible()
  await page.context().close()
})
