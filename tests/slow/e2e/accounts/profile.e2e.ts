import { type Browser, expect, type Page } from '@playwright/test'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

/* What a person changes of their account and of this device. */

const fixture = serverFixture()
const api = serverApi(fixture)
const at = () => ({ origin: fixture().origin })

const form = (page: Page, name: string) => page.getByRole('form', { name })
const save = (page: Page) => page.getByRole('button', { name: 'Save' }).click()
const edit = (page: Page, what: string) => page.getByRole('button', { name: what }).click()

async function profileOf(browser: Browser, person: { token: string }) {
  const page = await openPhone(browser, api, person, at())
  await navigateTo(page, '/profile')
  return page
}

test('R144: Two tabs change parts of one name, and nothing typed stays once one of them has logged somebody else in', async ({
  browser,
}) => {
  const page = await profileOf(browser, await api.createAccount('Ama Mensah', 'sender'))
  const kojo = await api.createAccount('Kojo Antwi', 'sender')
  const other = await page.context().newPage()
  await other.goto(`${fixture().origin}/profile`)
  for (const tab of [page, other]) await edit(tab, 'Edit name')
  await page.getByLabel('First name').fill('Akua')
  await save(page)
  await expect(form(page, 'Name')).toBeHidden()
  await other.getByLabel('Last name').fill('Boateng')
  await save(other)
  await expect(page.getByText('Akua Boateng')).toBeVisible()

  await edit(page, 'Edit name')
  await page.getByLabel('First name').fill('Typed by Ama')
  // What this tab asks for meanwhile would write Ama's token back.
  await page.route('**/api/**', (route) => route.abort())
  await other.addInitScript((token) => {
    localStorage.removeItem('user')
    localStorage.setItem('token', token)
  }, kojo.token)
  await other.reload()
  // Between the two accounts there is none, for which Account leads to the login and on to Send.
  await expect
    .poll(async () => {
      await navigateTo(page, '/profile')
      return page.getByText(kojo.email).isVisible()
    })
    .toBe(true)
  await expect(form(page, 'Name')).toBeHidden()
  await page.context().close()
})

test('R145: Whoever loses their number is told, and adds another', async ({ browser }) => {
  const efua = await api.createAccount('Efua', 'driver')
  const number = { phone: efua.phone, network: 'mtn', name: 'Efua' } as const
  await api.ask('changePayout', { token: efua.token, body: number })
  const payoutCode = await fixture().server.smsCode(efua.phone)
  await api.ask('confirmPayout', { token: efua.token, body: { code: payoutCode } })
  const page = await openPhone(browser, api, efua, at())
  const told = page.getByText('Your phone number has a new owner.')
  const signup = {
    name: 'New Owner',
    email: 'new.owner@example.com',
    password: 'a long enough password',
    phone_number: efua.phone,
    role: 'sender' as const,
  }
  const { token } = await api.ask('signup', { body: signup })
  const code = await fixture().server.smsCode(efua.phone)
  await api.ask('confirmPhone', { token, body: { phone_number: efua.phone, code } })
  await expect(told).toBeVisible()
  await expect(page.getByText('You have no payout number now')).toBeVisible()
  await screenshot(page, 'number-lost-1')
  await page.getByRole('link', { name: 'Add number' }).click()
  await expect(page.getByText('Your deliveries are still here.')).toBeVisible()
  await expect(page.getByText('You have none yet.')).toBeVisible()
  await screenshot(page, 'number-lost-2')
  await edit(page, 'Edit phone')
  await page.getByLabel('Phone').fill('0209777111')
  await save(page)
  await page.getByLabel('Code').fill(await fixture().server.smsCode('0209777111'))
  await expect(page.getByText('Verified', { exact: true })).toBeVisible()
  await expect(page.getByText('0209777111').first()).toBeVisible()
  await page.context().close()
})
