import { expect, type Page } from '@playwright/test'
import { admin } from '../../helpers/server/app-server.ts'
import { answerOnce, expectToast } from '../helpers/page/expect-toasts.ts'
import { navigateTo, openPhone } from '../helpers/page/open-phone.ts'
import {
  codeShown,
  fillRequest,
  passUndo,
  submitRequest,
  toast,
} from '../helpers/page/page-actions.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { photo } from '../helpers/photo.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'

/* Login, sign-up, driver approval and password reset, with their SMS codes, failures and toasts. */

const fixture = serverFixture()
const api = serverApi(fixture)
const at = () => ({ origin: fixture().origin })

const failure = (page: Page, ...says: string[]) => expectToast(page, 'destructive', says)
const success = (page: Page, ...says: string[]) => expectToast(page, 'success', says)

test('A sender signs up, verifies the phone by SMS, is logged in, and requests a delivery', async ({
  browser,
}) => {
  const known = await api.createAccount('Ama Known', 'sender')
  const item = 'Exam papers'
  const page = await openPhone(browser, api, undefined, at())
  await page.getByRole('link', { name: 'Login' }).click()
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await fillSignup(page, { name: 'Abena Asante', phone: '024411122' })
  const submit = page.getByRole('tabpanel').getByRole('button', { name: 'Sign Up' })
  await submit.click()
  // A field says it, and no toast.
  await expect(page.getByText('Phone number must be exactly 10 digits.')).toBeVisible()
  await expect(page.locator('[data-toast]')).toHaveCount(0)
  await page.getByLabel('Phone number').fill('0244111222')
  await page.getByLabel('Email').fill(known.email)
  // The right one would go on with that account (R7).
  await page.getByLabel('Password').fill('not the password')
  await submit.click()
  const taken = 'User with this email already exists.'
  await failure(page, 'Signup Failed', taken)
  await expect(page.getByRole('tabpanel').getByText(taken)).toBeVisible()
  // Whoever has an account needs to type no e-mail again.
  await page.getByRole('tab', { name: 'Login' }).click()
  await expect(page.getByLabel('Email or phone number')).toHaveValue(known.email)
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await page.getByLabel('Password').fill('a long enough password')
  await page.getByLabel('Email').fill('abena@example.com')
  await screenshot(page, 'accounts-1-signup')
  await submit.click()
  await success(
    page,
    'Signup Successful!',
    'Your account has been created. Please verify your phone number.',
  )

  await expect(page.getByRole('heading', { name: 'Verify your phone' })).toBeVisible()
  const code = page.getByLabel('Verification code')
  await expect(code).toBeFocused()
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await expect(code).toBeInViewport()
  // The first code is read: what is read after the second was asked for is the second.
  await fixture().server.smsCode('0244111222')
  await code.fill('000000')
  await expect(toast(page, 'Verification Failed')).toContainText('not right')
  await expect(
    page.getByText('That code is not right or no longer valid. 4 tries left.'),
  ).toBeVisible()
  await screenshot(page, 'accounts-2-wrong-sms-code')
  await answerOnce(page, '**/verify/resend', 400, { error: 'No SMS today.' })
  const resend = page.getByRole('button', { name: 'Resend code' })
  await resend.click()
  await failure(page, 'Resend Failed', 'No SMS today.')
  await resend.click()
  await success(page, 'Code Sent', 'A new code is on its way by SMS.')
  await verify(page, '0244111222')
  await success(page, 'Phone Verified', 'Your phone number is verified.')

  await page.waitForURL(/\/send$/)
  await fillRequest(page, { item, from: 'Madina', to: 'Legon Campus', seed: 11 })
  await screenshot(page, 'accounts-3-form')
  const id = await submitRequest(page)
  expect(await codeShown(page)).toMatch(/^\d{5}$/)
  expect(await api.deliveriesNamed(item)).toEqual([
    expect.objectContaining({
      ID: id,
      deliveryCode: await codeShown(page),
      isGuestDelivery: false,
      sender: expect.objectContaining({ name: 'Abena Asante', phone: '0244111222' }),
    }),
  ])

  await page.getByRole('link', { name: 'Back' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome back, Abena Asante' })).toBeVisible()
  await screenshot(page, 'accounts-4-home-sender')
  await page.getByRole('link', { name: 'Send', exact: true }).first().click()
  await expect(page.getByRole('heading', { name: 'My Active Delivery' })).toBeVisible()
  await expect(page.getByRole('article', { name: item })).toContainText('Pending')
  await screenshot(page, 'accounts-5-active-delivery')
  await page.context().close()
})

test('R2, R4: A driver signs up with an ID, is pending, is approved by an admin, and Drive opens', async ({
  browser,
}) => {
  await api.createDelivery(await api.createAccount('Esi Quaye', 'sender'), {
    itemDescription: 'Wall clock',
  })
  const page = await openPhone(browser, api, undefined, at())
  await page.getByRole('link', { name: 'Become a Driver' }).click()
  await expect(page.getByRole('radio', { name: 'Driver' })).toBeChecked()
  await fillSignup(page, { name: 'Kwame Tetteh', phone: '0244333444' })
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page.getByText('Please fill out all ID verification fields.')).toBeVisible()
  await screenshot(page, 'accounts-6-driver-without-id')
  await page.getByLabel('ID type').selectOption('Ghana Card')
  await page.getByLabel('ID number').fill('gha1234567890')
  await expect(page.getByLabel('ID number')).toHaveValue('GHA-123456789-0')
  await uploadId(page)
  await screenshot(page, 'accounts-7-driver-signup')
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await verify(page, '0244333444')

  await page.waitForURL(/\/driver-pending$/)
  await expect(page.getByRole('heading', { name: 'Driver Approval Pending' })).toBeVisible()
  await screenshot(page, 'accounts-8-driver-pending')
  await page.goto(`${fixture().origin}/drive`)
  await expect(page.getByRole('heading', { name: 'Driver Approval Required' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Drive', exact: true })).toHaveCount(0)

  const desk = await openPhone(browser, api, await api.ask('login', { body: admin }), {
    ...at(),
    clock: true,
  })
  await approveDriver(desk, 'Kwame Tetteh')

  // Without a reload.
  await expect(page.getByRole('heading', { name: 'Find Deliveries' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Drive', exact: true }).first()).toBeAttached()
  await expect(page.getByRole('article', { name: 'Wall clock' })).toContainText('₵60')
  await screenshot(page, 'accounts-11-drive-opens')
  for (const each of [page, desk]) await each.context().close()
})

/** An ID photo is refused in the provider's words, then uploaded. */
async function uploadId(page: Page) {
  const picker = page.getByLabel('ID photo: Choose photo')
  await answerOnce(page, '**/images/upload', 400, { error: { message: 'Not a card.' } })
  await picker.setInputFiles(photo(3))
  await failure(page, 'Upload Failed', 'Not a card.')
  await page.unroute('**/images/upload')
  let upload = () => {}
  const isUploading = new Promise<void>((resolve) => {
    upload = resolve
  })
  await page.route('**/images/upload', async (route) => {
    await isUploading
    await route.continue()
  })
  await picker.setInputFiles(photo(12))
  await expectToast(page, 'plain', [
    'Uploading photo...',
    'Please wait while we upload your photo.',
  ])
  upload()
  await success(page, 'Photo uploaded!', 'Your ID photo is ready.')
  await expect(page.getByRole('img', { name: 'Your ID' })).toBeVisible()
}

async function fillSignup(page: Page, { name, phone }: { name: string; phone: string }) {
  await page.getByLabel('Full name').fill(name)
  await page.getByLabel('Email').fill(`${name.split(' ')[0]?.toLowerCase()}@example.com`)
  await page.getByLabel('Phone number').fill(phone)
  await page.getByLabel('Password').fill('a long enough password')
}

async function verify(page: Page, phone: string) {
  await page.getByLabel('Verification code').fill(await fixture().server.smsCode(phone))
}

async function approveDriver(desk: Page, name: string) {
  await navigateTo(desk, '/admin/drivers')
  const card = desk.getByRole('article', { name })
  await expect(card).toContainText('GHA-123456789-0')
  await card.getByRole('button', { name: 'View ID' }).click()
  const shown = desk.getByRole('dialog').getByRole('img')
  await expect(shown).toBeVisible()
  await expect.poll(() => shown.evaluate(isLoaded)).toBe(true)
  await screenshot(desk, 'accounts-9-admin-views-id')
  await desk.keyboard.press('Escape')
  await card.getByRole('button', { name: 'Approve' }).click()
  await expect(card.getByRole('button', { name: 'Undo' })).toBeVisible()
  await passUndo(desk)
  await expect(card).toContainText('approved')
  await expect(card.getByRole('button', { name: 'Reject' })).toBeVisible()
  await expect(card.getByRole('button', { name: 'Approve' })).toHaveCount(0)
  await screenshot(desk, 'accounts-10-admin-approved')
}

const isLoaded = (image: Element) => image instanceof HTMLImageElement && image.naturalWidth > 0
