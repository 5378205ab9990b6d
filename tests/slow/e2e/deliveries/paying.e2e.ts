import { expect, type Page } from '@playwright/test'
import { referenceOf } from '#domain/deliveries/reference.ts'
import { expectAccessible } from '../../../e2e/helpers/page/expect-accessible.ts'
import {
  copied,
  nextStep,
  offline,
  online,
  sayPaid,
  toast,
} from '../../../e2e/helpers/page/page-actions.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { atRoom, button, inDialog, tripTo } from '../../../e2e/returns/return-actions.ts'

/* A sender pays the driver themselves (R171), what the driver gets of it (R174), and the receipt (R185). */

const fixture = serverFixture()
const api = serverApi(fixture)

const confirmAndPay = (page: Page) => button(page, 'Confirm and pay').click()
const receiptLine = (page: Page, name: string) =>
  page
    .getByRole('dialog', { name: 'Receipt' })
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })

test('R171, R185: A sender pays by mobile money, with a tip, and reads, shares and prints the receipt, all offline; the driver says offline that nothing came', async ({
  browser,
}) => {
  const { sender, driver, made } = await tripTo(api, 'Delivered', { offer: 60 })
  const worker = { serviceWorkers: 'allow' } as const
  const home = await atRoom(browser, api, fixture(), sender, made, worker)
  const page = await atRoom(browser, api, fixture(), driver, made, worker)
  const shared = await home.evaluateHandle(() => {
    const said: string[] = []
    navigator.share = async ({ text = '' } = {}) => void said.push(text)
    window.print = () => void said.push('printed')
    return said
  })

  await offline(home)
  await confirmAndPay(home)
  const dialog = home.getByRole('dialog')
  await expect(dialog.getByRole('heading')).toHaveText('Pay Kofi ₵60')
  await expect(inDialog(home, "I've paid")).toBeDisabled()
  await dialog.getByText('₵5', { exact: true }).click()
  await expect(dialog.getByRole('heading')).toHaveText('Pay Kofi ₵65')
  await dialog.getByText('Cash', { exact: true }).click()
  await expect(dialog).toContainText('Give Kofi GH₵ 65.00 in cash.')
  await dialog.getByText('Mobile money', { exact: true }).click()
  await expect(dialog).toContainText(`Send GH₵ 65.00 to ${driver.phone}`)
  await expect(dialog.getByRole('link', { name: 'Dial *170#' })).toHaveAttribute(
    'href',
    'tel:*170%23',
  )
  await home.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await inDialog(home, 'Copy number').click()
  expect(await copied(home)).toBe(driver.phone)
  await expectAccessible(home, 'paying the driver')
  await sayPaid(home, 'momo')
  await expect(nextStep(home)).toContainText(
    'You paid Kofi ₵60 and a tip of ₵5 by mobile moneyNot sent yet',
  )
  await expect(button(home, 'Receipt')).toHaveCount(0)
  await online(home)
  await Promise.all([
    expect(toast(home, 'Status Updated')).toContainText('you paid by mobile money'),
    expect(toast(page, 'Ama says you were paid ₵60 and a tip of ₵5 by mobile money')).toBeVisible(),
  ])
  await expect(nextStep(page)).toContainText('You can say so until')
  await offline(page)
  await button(page, 'Not received').click()
  await expect(page.getByRole('dialog')).toContainText('Ama says you were paid ₵60')
  await inDialog(page, 'Not received').click()
  await expect(nextStep(page)).toContainText('Report not sent yet')
  await expect(button(page, 'Not received')).toHaveCount(0)
  await online(page)
  await expect(nextStep(page)).toContainText('You did not receive it. Support looks into it.')
  await expect(page.getByRole('region', { name: 'Reported issues' })).toContainText(
    'I did not receive the ₵65 that the sender says they paid by mobile money.',
  )
  await expect(nextStep(home)).toContainText('An issue was reported. Support looks into it.')

  for (const each of [home, page]) {
    await offline(each)
    await button(each, 'Receipt').click()
    await expect(receiptLine(each, 'Reference')).toContainText(referenceOf(made.ID))
    await expect(receiptLine(each, 'Tip')).toContainText('GH₵ 5.00')
  }
  await expect(receiptLine(home, 'Total')).toContainText('GH₵ 65.00')
  await expectAccessible(home, 'receipt')
  await inDialog(home, 'Share').click()
  await inDialog(home, 'Print').click()
  await expect
    .poll(() => shared.jsonValue())
    .toEqual([expect.stringContaining('Total: GH₵ 65.00'), 'printed'])
  await home.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(receiptLine(home, 'Reference')).toBeVisible()
  for (const hidden of [inDialog(home, 'Print'), nextStep(home)]) await expect(hidden).toBeHidden()
  const ground = await home
    .getByRole('dialog')
    .evaluate((each) => getComputedStyle(each).backgroundColor)
  expect(ground).toBe('rgb(255, 255, 255)')
  for (const each of [home, page]) await each.context().close()
})
