import { type Browser, expect, type Page } from '@playwright/test'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { inTheme } from '../../../e2e/helpers/page/theme.ts'
import { photo } from '../../../e2e/helpers/photo.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { hold } from '../../../e2e/loading/hold.ts'

/* What a person changes of their account and of this device. */

const fixture = serverFixture()
const api = serverApi(fixture)
const at = () => ({ origin: fixture().origin })

const form = (page: Page, name: string) => page.getByRole('form', { name })
const save = (page: Page) => page.getByRole('button', { name: 'Save' }).click()
const edit = (page: Page, what: string) => page.getByRole('button', { name: what }).click()

/** The colour of the page, and of the browser's bar. */
const colours = (page: Page) =>
  page.evaluate(() => [
    getComputedStyle(document.documentElement).backgroundColor,
    getComputedStyle(document.documentElement).colorScheme,
  ])
const [dark, light] = ['rgb(15, 23, 19)', 'rgb(251, 247, 238)']

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
  // What this tab asks for meanwhile would write Ama's token back, as what it has asked for already still may.
  await page.route('**/api/**', (route) => route.abort())
  await other.addInitScript((token) => {
    localStorage.removeItem('user')
    localStorage.setItem('token', token)
  }, kojo.token)
  // Between the two accounts there is none, for which Account leads to the login and on to Send.
  await expect
    .poll(async () => {
      await other.reload()
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

test('R84: Light or dark is chosen for this device, in every tab, and is there before the first paint', async ({
  browser,
}) => {
  const page = await profileOf(browser, await api.createAccount('Ama', 'sender'))
  await inTheme(page, 'light')
  await expect.poll(() => colours(page)).toEqual([light, 'light dark'])
  const other = await page.context().newPage()
  await other.goto(`${fixture().origin}/profile`)
  await expect(other.getByRole('radio', { name: 'Auto' })).toBeChecked()
  await page.getByText('Dark', { exact: true }).click()
  await expect.poll(() => colours(page)).toEqual([dark, 'dark'])
  await expect.poll(() => colours(other)).toEqual([dark, 'dark'])
  await expect(other.getByRole('radio', { name: 'Dark' })).toBeChecked()
  await screenshot(page, 'theme-dark')
  for (const bar of await page.locator('meta[name=theme-color]').all())
    await expect(bar).toHaveAttribute('content', '#0A2A1D')
  // Nothing but the page itself has come, and what an older version left is cleared.
  await page.evaluate(() => localStorage.setItem('cacheVersion', 'older'))
  const files = '**/assets/*'
  const release = await hold(page, files)
  await page.reload({ waitUntil: 'commit' })
  await expect(page.locator('#skeleton')).toBeVisible()
  await expect.poll(() => colours(page)).toEqual([dark, 'dark'])
  release()
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('cacheVersion'))).toBe('1.2.3')
  await expect.poll(() => colours(page)).toEqual([dark, 'dark'])
  await inTheme(page, 'dark')
  await page.getByText('Light', { exact: true }).click()
  await expect.poll(() => colours(page)).toEqual([light, 'light'])
  await page.getByText('Auto', { exact: true }).click()
  await expect.poll(() => colours(page)).toEqual([dark, 'light dark'])
  await expect.poll(() => colours(other)).toEqual([light, 'light dark'])
  await page.context().close()
})

test('R6: A sender applies as a driver with the same account, and again after a rejection', async ({
  browser,
}) => {
  const ama = await api.createAccount('Ama', 'sender')
  const page = await profileOf(browser, ama)
  const review = (status: 'approved' | 'rejected') =>
    api.asAdmin('reviewDriver', { id: ama.id, body: { status } })
  await edit(page, 'Become a driver')
  await page.getByRole('button', { name: 'Apply', exact: true }).click()
  await expect(page.getByText('Please fill out all ID verification fields.')).toBeVisible()
  await fillId(page)
  await screenshot(page, 'apply-1')
  await page.getByRole('button', { name: 'Apply', exact: true }).click()
  await expect(page.getByText('Driver, not approved yet')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Become a driver' })).toBeHidden()
  await screenshot(page, 'apply-2')

  await review('rejected')
  await navigateTo(page, '/driver-pending')
  await edit(page, 'Apply again')
  await expect(page.getByLabel('ID number')).toBeVisible()
  await screenshot(page, 'apply-3')
  await fillId(page)
  await page.getByRole('button', { name: 'Apply', exact: true }).click()
  await expect(page.getByText('Your application is under review')).toBeVisible()
  await screenshot(page, 'apply-4')
  await review('approved')
  await expect(page).toHaveURL(/\/drive$/)
  await page.context().close()
})

test('Every password can be looked at while it is typed', async ({ browser }) => {
  const page = await openPhone(browser, api, undefined, at())
  const pages = [
    ['/auth', 'Password'],
    ['/auth?tab=signup', 'Password'],
    ['/auth?step=reset&phone=0244111222', 'New password'],
  ] as const
  for (const [path, label] of pages) {
    await navigateTo(page, path)
    const field = page.getByLabel(label)
    await field.fill('what is it')
    const eye = page.getByRole('button', { name: 'Show what is typed' })
    await expect(eye).toHaveAttribute('aria-pressed', 'false')
    await expect(field).toHaveAttribute('type', 'password')
    await eye.click()
    await expect(eye).toHaveAttribute('aria-pressed', 'true')
    await expect(field).toHaveAttribute('type', 'text')
  }
  await screenshot(page, 'password-shown')
  await page.context().close()
})

async function fillId(page: Page) {
  await page.getByLabel('ID type').selectOption('Passport')
  await page.getByLabel('ID number').fill('AB123456')
  await page.getByLabel('ID photo: Choose photo').setInputFiles(photo(3))
  await expect(page.getByRole('img', { name: 'Your ID' })).toBeVisible()
}
