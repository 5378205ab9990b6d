import { expect, type Page } from '@playwright/test'
import { expectToast } from '../../../e2e/helpers/page/expect-toasts.ts'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { logIn } from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

/* Login, sign-up, driver approval and password reset, with their SMS codes, failures and toasts. */

const fixture = serverFixture()
const api = serverApi(fixture)
const at = () => ({ origin: fixture().origin })

const failure = (page: Page, ...says: string[]) => expectToast(page, 'destructive', says)
const success = (page: Page, ...says: string[]) => expectToast(page, 'success', says)

test('R10: Whoever typed a wrong number at the sign-up changes it in their account', async ({
  browser,
}) => {
  const page = await openPhone(browser, api, undefined, at())
  await navigateTo(page, '/auth?tab=signup')
  await fillSignup(page, { name: 'Wrongly Typed', phone: '0244555000' })
  await page.getByRole('tabpanel').getByRole('button', { name: 'Sign Up' }).click()
  await page.getByRole('button', { name: 'Wrong number?' }).click()
  await expect(page).toHaveURL(/\/profile$/)
  await page.getByRole('button', { name: 'Edit phone' }).click()
  await page.getByLabel('Phone').fill('0244555001')
  await page.getByRole('button', { name: 'Save' }).click()
  const sent = await fixture().server.smsCode('0244555001')
  await page.getByLabel('Code').fill(sent === '000000' ? '111111' : '000000')
  await expect(page.getByText(/not right or no longer valid\. 4 tries left\.$/)).toBeVisible()
  await screenshot(page, 'accounts-13-wrong-code-of-a-new-number')
  await page.getByLabel('Code').fill(sent)
  await expect(page.getByText('Verified', { exact: true })).toBeVisible()
  await page.context().close()
})

/* Chromium without a SIM card receives no SMS: what the browser would hand over is read from the server's. */
test('R11, R62: A forgotten password is reset with a code by SMS, which fills itself where the browser can read it', async ({
  browser,
}) => {
  const { origin, server } = fixture()
  const adwoa = await api.createAccount('Adwoa Sarpong', 'sender')
  const page = await openPhone(browser, api, undefined, {
    origin,
    prepare: async (page) => {
      await page.exposeFunction('smsArrives', () => server.smsCode(adwoa.phone))
      await page.addInitScript(() => {
        const { smsArrives } = globalThis as unknown as { smsArrives: () => Promise<string> }
        Object.assign(globalThis, { OTPCredential: class {} })
        navigator.credentials.get = async (options) => {
          const { otp } = options as { otp?: { transport: string[] } }
          if (otp?.transport[0] !== 'sms') return null
          return { id: '', type: 'otp', code: await smsArrives() } as Credential
        }
      })
    },
  })
  await navigateTo(page, '/auth')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await page.getByLabel('Phone number').fill(adwoa.phone.replace(/^0/, '233'))
  await page.getByRole('button', { name: 'Send Code' }).click()
  await success(page, 'Code Sent', 'If the number is known here, a code is on its way.')
  const field = page.getByLabel('Reset code')
  await expect(field).toHaveValue(/^\d{6}$/)
  const code = await field.inputValue()
  const sms = server.lines.filter((line) => line.includes(code)).at(-1)
  expect(sms).toContain(`\\n@${new URL(origin).hostname} #${code}`)
  await page.getByLabel('New password').fill('another long password')
  await screenshot(page, 'accounts-12-reset')
  await page.getByRole('button', { name: 'Resend code' }).click()
  await field.fill(await server.smsCode(adwoa.phone))
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await success(page, 'Password Reset', 'Log in with your new password.')
  await expect(page.getByRole('tab', { name: 'Login' })).toBeVisible()
  await logIn(page, { ...adwoa, password: 'another long password' })
  await success(page, 'Login Successful!', 'Welcome back!')
  await expect(page).toHaveURL(/\/send$/)
  await page.context().close()
})

test('A wrong password is said at the form until something is typed', async ({ browser }) => {
  const page = await openPhone(browser, api, undefined, at())
  await navigateTo(page, '/auth')
  await page.getByLabel('Email').fill('nobody@example.com')
  await page.getByLabel('Password').fill('a wrong password')
  await page.getByRole('tabpanel').getByRole('button', { name: 'Login' }).click()
  await failure(page, 'Login Failed', 'Invalid email or password.')
  await expect(page.locator('[data-toast]')).toHaveCount(0)
  const said = page.getByRole('tabpanel').getByText('Invalid email or password.')
  await expect(said).toBeVisible()
  await screenshot(page, 'login-1-wrong')
  await page.getByLabel('Password').fill('another')
  await expect(said).toBeHidden()
  await page.context().close()
})

async function fillSignup(page: Page, { name, phone }: { name: string; phone: string }) {
  await page.getByLabel('Full name').fill(name)
  await page.getByLabel('Email').fill(`${name.split(' ')[0]?.toLowerCase()}@example.com`)
  await page.getByLabel('Phone number').fill(phone)
  await page.getByLabel('Password').fill('a long enough password')
}
