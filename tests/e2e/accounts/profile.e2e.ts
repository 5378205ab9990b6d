import { type Browser, expect, type Page } from '@playwright/test'
import { expectToast } from '../helpers/page/expect-toasts.ts'
import { navigateTo, openPhone } from '../helpers/page/open-phone.ts'
import { logIn, offline, online } from '../helpers/page/page-actions.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'

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

test('R144: Name, e-mail and password are changed in the account, and the phone number logs in', async ({
  browser,
}) => {
  const ama = await api.createAccount('Ama Mensah', 'sender')
  const { token: other } = await api.ask('login', { body: ama })
  const page = await profileOf(browser, ama)
  await screenshot(page, 'profile-1')

  await edit(page, 'Edit name')
  await page.getByLabel('First name').fill('Soma Support')
  await page.getByLabel('Last name').fill('')
  await save(page)
  await expect(form(page, 'Name')).toContainText('This name looks like our own.')
  await page.getByLabel('First name').fill('Akua')
  await page.getByLabel('Last name').fill('Boateng')
  await screenshot(page, 'profile-2-name')
  await save(page)
  await expectToast(page, 'success', ['Name Updated'])
  await expect(page.getByText('Akua Boateng')).toBeVisible()

  // As a server has it that was restored from a backup.
  const before = { firstName: 'Ama', lastName: 'Mensah' }
  await api.ask('changeProfile', { token: ama.token, body: before })
  await expect(page.getByText('Your change is gone.')).toBeVisible()
  await screenshot(page, 'profile-2-gone')

  const { email: taken } = await api.createAccount('Efua', 'sender')
  await edit(page, 'Edit email')
  await form(page, 'Email').getByLabel('Email').fill(taken)
  await save(page)
  const refused = 'User with this email already exists.'
  await expectToast(page, 'destructive', ['Not saved', refused])
  await expect(form(page, 'Email')).toContainText(refused)
  await offline(page)
  await form(page, 'Email').getByLabel('Email').fill('akua@example.com')
  await save(page)
  await expect(form(page, 'Email')).toContainText('No connection right now.')
  await screenshot(page, 'profile-3-offline')
  await online(page)
  await save(page)
  await expect(page.getByText('akua@example.com')).toBeVisible()

  await edit(page, 'Change password')
  await page.getByLabel('Current password').fill('not the one')
  const next = page.getByLabel('New password')
  await next.fill('a better password')
  await screenshot(page, 'profile-4-password')
  await save(page)
  const wrong = 'Your current password is not right.'
  await expect(form(page, 'Password')).toContainText(wrong)
  await expect(next).toHaveValue('a better password')
  await page.getByLabel('Current password').fill(ama.password)
  await save(page)
  await expect(form(page, 'Password')).toBeHidden()
  await expect(api.ask('me', { token: other })).rejects.toMatchObject({ status: 401 })
  await api.ask('me', { token: ama.token })

  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('link', { name: 'Login' }).first().click()
  const phone = `+233 ${ama.phone.slice(1)}`
  await logIn(page, { email: phone, password: 'a better password' })
  await expect(page).toHaveURL(/\/send$/)
  await page.context().close()
})

test('R216, R219, S89: what is stored is said at the sign-up, downloaded and deleted in the account', async ({
  browser,
}) => {
  const ama = await api.createAccount('Ama Mensah', 'sender')
  const visitor = await openPhone(browser, api, undefined, at())
  await navigateTo(visitor, '/auth')
  await visitor.getByRole('tab', { name: 'Sign Up' }).click()
  await expect(visitor.getByText('By signing up you agree that Soma stores')).toBeVisible()
  await visitor.getByRole('button', { name: 'How we use your data' }).click()
  await expect(visitor.getByRole('dialog')).toContainText('How long we keep it')
  await screenshot(visitor, 'consent-signup')

  const page = await profileOf(browser, ama)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download my data' }).click()
  expect((await download).suggestedFilename()).toMatch(/^soma-my-data-.*\.json$/)
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog')
  const erase = () => dialog.getByRole('button', { name: 'Delete my account' }).click()
  await offline(page)
  await dialog.getByLabel('Password', { exact: true }).fill('not the one')
  await erase()
  await expect(dialog).toContainText('No connection right now.')
  await expect(dialog).toContainText('Deleting needs a connection.')
  await screenshot(page, 'delete-account')
  await online(page)
  await erase()
  await expect(dialog).toContainText('Your current password is not right.')
  await dialog.getByLabel('Password', { exact: true }).fill(ama.password)
  await erase()
  await expectToast(page, 'success', ['Account deleted', 'This phone keeps nothing of it.'])
  await expect(page).toHaveURL(/\/$/)
})
