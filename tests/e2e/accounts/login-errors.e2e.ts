import { expect, test } from '@playwright/test'
import { navigateTo, openPhone } from '../helpers/page/open-phone.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture } from '../helpers/server/server-fixture.ts'

/* What goes wrong at a login stays at its form, and each step begins at its top. */

const fixture = serverFixture()
const api = serverApi(fixture)
const at = () => ({ origin: fixture().origin, viewport: { width: 360, height: 740 } })

test('A wrong password is said at the form until something is typed', async ({ browser }) => {
  const page = await openPhone(browser, api, undefined, at())
  await navigateTo(page, '/auth')
  await page.getByLabel('Email').fill('nobody@example.com')
  await page.getByLabel('Password').fill('a wrong password')
  await page.getByRole('tabpanel').getByRole('button', { name: 'Login' }).click()
  const said = page.getByRole('tabpanel').getByText('Invalid email or password.')
  await expect(said).toBeVisible()
  await page.locator('[data-toast]').getByRole('button', { name: 'Dismiss' }).click()
  await expect(said).toBeVisible()
  await screenshot(page, 'login-1-wrong')
  await page.getByLabel('Password').fill('another')
  await expect(said).toBeHidden()
  await page.context().close()
})

test('A sign-up with a taken e-mail and a wrong code are said at their forms; Verify opens at its top', async ({
  browser,
}) => {
  const known = await api.createAccount('Ama Known', 'sender')
  const page = await openPhone(browser, api, undefined, at())
  await navigateTo(page, '/auth?tab=signup')
  await page.getByLabel('Full name').fill('Ama Again')
  await page.getByLabel('Email').fill(known.email)
  await page.getByLabel('Phone number').fill('0244777001')
  await page.getByLabel('Password').fill('a long enough password')
  const submit = page.getByRole('tabpanel').getByRole('button', { name: 'Sign Up' })
  await submit.click()
  await expect(
    page.getByRole('tabpanel').getByText('User with this email already exists.'),
  ).toBeVisible()
  await page.getByLabel('Email').fill('ama.again@example.com')
  await submit.click()
  await expect(page.getByRole('heading', { name: 'Verify your phone' })).toBeVisible()
  const code = page.getByLabel('Verification code')
  await expect(code).toBeFocused()
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await expect(code).toBeInViewport()
  await screenshot(page, 'login-2-verify')
  await code.fill('000000')
  await page.getByRole('button', { name: 'Verify Phone' }).click()
  await expect(page.locator('#main').getByText('That code is not right')).toBeVisible()
  await page.context().close()
})
