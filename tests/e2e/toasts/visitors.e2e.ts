import { expect, type Page, test } from '@playwright/test'
import { answerOnce, expectToasts } from '../helpers/page/expect-toasts.ts'
import { navigateTo, openPhone } from '../helpers/page/open-phone.ts'
import { chooseTile } from '../helpers/page/page-actions.ts'
import { photo } from '../helpers/photo.ts'
import { type Account, serverApi } from '../helpers/server/server-api.ts'
import { serverFixture } from '../helpers/server/server-fixture.ts'

/*
 * Every toast about accounts and uploads with its cause: a real one, or a refusal with the text of the
 * row. The files beside this one have those of senders, drivers and admins.
 */

const fixture = serverFixture()
const api = serverApi(fixture)

let page: Page
let abena: Account
let yaw: Account
const elsewhere = '019352f0-0000-7000-8000-000000000000'

// Each test has many steps.
test.describe.configure({ timeout: 180_000 })
test.beforeAll(async () => {
  abena = await api.createAccount('Abena Asante', 'sender')
  yaw = await api.createDriver('Yaw Driver')
})
test.afterEach(() => page.context().close())

test('Toasts of a visitor about accounts', async ({ browser }) => {
  page = await openPhone(browser, api, undefined, { origin: fixture().origin })
  await page.goto(`${fixture().origin}/auth`)
  const password = 'a long enough password'
  const signUp = async (email: string, phone: string) => {
    await page.getByRole('tab', { name: 'Sign Up' }).click()
    await page.getByLabel('Full name').fill('Efua Sarpong')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Phone number').fill(phone)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign Up' }).click()
  }
  const verify = async (code: string) => {
    await page.getByLabel('Verification code').fill(code)
    await page.getByRole('button', { name: 'Verify Phone' }).click()
  }
  const resend = () => page.getByRole('button', { name: 'Resend code' }).click()
  const pickId = async (answer?: object) => {
    if (answer) await answerOnce(page, '**/images/upload', 400, answer)
    await page.getByLabel('ID photo: Choose photo').setInputFiles(photo(3))
  }
  await expectToasts(page, [
    {
      cause: 'a wrong password',
      title: 'Login Failed',
      text: 'Invalid email or password.',
      provoke: () => logIn(page, abena.email, 'not the password'),
    },
    {
      cause: 'a number of nine digits',
      title: 'Invalid Phone Number',
      text: 'Phone number must be exactly 10 digits.',
      provoke: () => signUp('efua@example.com', '024411122'),
    },
    {
      cause: 'an e-mail that has an account',
      title: 'Signup Failed',
      text: 'User with this email already exists.',
      provoke: () => signUp(abena.email, '0244777888'),
    },
    {
      cause: 'a driver without an ID',
      title: 'Signup Failed',
      text: 'Please fill out all ID verification fields.',
      provoke: async () => {
        await chooseTile(page, 'Driver')
        await signUp('efua@example.com', '0244777888')
      },
    },
    {
      cause: 'an ID photo the image provider does not take',
      title: 'Upload Failed',
      text: 'Failed to upload photo. Please try again.',
      provoke: () => pickId({}),
    },
    {
      cause: 'an ID photo the provider refuses in its own words',
      title: 'Upload Failed',
      text: 'Not a card.',
      provoke: () => pickId({ error: { message: 'Not a card.' } }),
    },
    {
      cause: 'an ID photo on its way',
      title: 'Uploading photo...',
      text: 'Please wait while we upload your photo.',
      provoke: async () => {
        fixture().proxy.set({ kind: 'silent' })
        await pickId()
      },
    },
    {
      cause: 'an ID photo that has arrived',
      title: 'Photo uploaded!',
      provoke: async () => {
        fixture().proxy.set({ kind: 'fine' })
        await page.reload()
        await pickId()
      },
    },
    {
      cause: 'a new account',
      title: 'Signup Successful!',
      text: 'Your account has been created. Please verify your phone number.',
      provoke: async () => {
        await chooseTile(page, 'Sender')
        await signUp('efua@example.com', '0244777888')
      },
    },
    {
      cause: 'a wrong SMS code',
      title: 'Verification Failed',
      text: /not right/,
      provoke: () => verify('000000'),
    },
    { cause: 'asking for another code', title: 'Code Sent', provoke: resend },
    {
      cause: 'asking for a code when none can be sent',
      title: 'Resend Failed',
      text: 'No SMS today.',
      provoke: async () => {
        await answerOnce(page, '**/verify/resend', 400, { error: 'No SMS today.' })
        await resend()
      },
    },
    {
      cause: 'the right SMS code',
      title: 'Phone Verified',
      provoke: async () => verify(await fixture().server.smsCode('0244777888')),
    },
  ])
})

test('Toasts of a password reset', async ({ browser }) => {
  page = await openPhone(browser, api, undefined, { origin: fixture().origin })
  await page.goto(`${fixture().origin}/auth?step=forgot`)
  await expectToasts(page, [
    {
      cause: 'asking for a reset',
      title: 'Code Sent',
      provoke: async () => {
        await page.getByLabel('Phone number').fill(yaw.phone)
        await page.getByRole('button', { name: 'Send Code' }).click()
      },
    },
    {
      cause: 'code and new password',
      title: 'Password Reset',
      provoke: async () => {
        await page.getByLabel('Reset code').fill(await fixture().server.smsCode(yaw.phone))
        await page.getByLabel('New password').fill('another long password')
        await page.getByRole('button', { name: 'Reset Password' }).click()
      },
    },
    {
      cause: 'logging in',
      title: 'Login Successful!',
      text: 'Welcome back!',
      provoke: () => logIn(page, yaw.email, 'another long password'),
    },
  ])
  yaw.token = (
    await api.ask('login', { body: { email: yaw.email, password: 'another long password' } })
  ).token
})

test('R81: One toast at a time, announced, gone after five seconds', async ({ browser }) => {
  page = await openPhone(browser, api, undefined, { origin: fixture().origin })
  await navigateTo(page, '/drive')
  const toasts = page.locator('[data-toast]')
  await expect(toasts).toHaveText(/Login Required/)
  await expect(page.getByRole('alert').filter({ has: toasts })).toHaveCount(1)
  await navigateTo(page, `/delivery/${elsewhere}`)
  await expect(toasts).toHaveText(/Session Expired/)
  const shown = Date.now()
  await expect(toasts).toHaveCount(0)
  expect(Date.now() - shown).toBeGreaterThan(3_500)
  expect(Date.now() - shown).toBeLessThan(7_500)
})

async function logIn(page: Page, email: string, password: string) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('tabpanel').getByRole('button', { name: 'Login' }).click()
}
