import { expect, type Page } from '@playwright/test'
import { axeViolations } from '../../../e2e/helpers/page/axe.ts'
import { expectToast } from '../../../e2e/helpers/page/expect-toasts.ts'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { offline, online } from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

const fixture = serverFixture()
const api = serverApi(fixture)

const section = (page: Page) => page.getByRole('region', { name: 'Payout number' })

test('R175: A driver adds a payout number, changes it, and takes the change back', async ({
  browser,
}) => {
  const yaw = await api.createDriver('Yaw Paid')
  const page = await openPhone(browser, api, yaw, { origin: fixture().origin })
  await navigateTo(page, '/profile#payout')
  const here = section(page)
  await expect(here).toBeInViewport()
  await here.getByRole('button', { name: 'Add payout number' }).click()
  const form = here.getByRole('form', { name: 'Payout number' })
  await expect(form.getByLabel('Mobile money number')).toHaveValue(yaw.phone)
  await expect(form.getByLabel('Name on the account')).toHaveValue('Yaw Paid')
  await expect(form.getByLabel('Network')).toHaveValue('vod')
  await form.getByLabel('Network').selectOption('MTN MoMo')
  await expect(form).toContainText('This looks like a Telecel number. Is it on MTN MoMo?')
  await form.getByLabel('Mobile money number').fill('024')
  const send = form.getByRole('button', { name: 'Send code' })
  await send.click()
  await expect(form).toContainText('Phone number must be exactly 10 digits.')
  await form.getByLabel('Mobile money number').fill(yaw.phone)
  await offline(page)
  await send.click()
  const failed = 'No connection right now. Please try again when you are back online.'
  await expect(form).toContainText(failed)
  await expect(form).toContainText('A payout number needs a connection')
  await screenshot(page, 'payout-offline')
  await online(page)
  await send.click()

  const code = here.getByRole('form', { name: 'Confirm payout number' })
  await expect(code).toContainText(`Enter the 6-digit code sent to ${yaw.phone}.`)
  expect(await axeViolations(page, { within: '#main' })).toEqual([])
  // The code survives a phone that closes the page while its owner reads the SMS.
  await page.reload()
  await code.getByLabel('Code').fill('000000')
  await expect(code).toContainText('4 tries left')
  await screenshot(page, 'payout-code')
  await code.getByLabel('Code').fill(await fixture().server.smsCode(yaw.phone))
  await expectToast(page, 'success', ['Payout Number Confirmed', `You are paid to ${yaw.phone}.`])
  await expect(here).toContainText('MTN MoMo')

  await here.getByRole('button', { name: 'Change payout number' }).click()
  const other = `0559${yaw.phone.slice(4)}`
  await form.getByLabel('Mobile money number').fill(other)
  await expect(form.getByLabel('Network')).toHaveValue('mtn')
  await send.click()
  await code.getByLabel('Code').fill(await fixture().server.smsCode(other))
  await expect(here).toContainText(`You are paid to ${other} (MTN MoMo, Yaw Paid) from`)
  await screenshot(page, 'payout-change')
  await here.getByRole('button', { name: 'Cancel the change' }).click()
  await expect(here).not.toContainText(other)
  const { user } = await api.ask('me', { token: yaw.token })
  expect([user.payout?.phone, user.nextPayout]).toEqual([yaw.phone, undefined])
  await page.context().close()
})
