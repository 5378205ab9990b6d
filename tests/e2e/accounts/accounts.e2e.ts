import { expect, type Page, test } from '@playwright/test'
import { admin } from '../../helpers/server/app-server.ts'
import {
  codeShown,
  fillRequest,
  logIn,
  newPhone,
  submitRequest,
  toast,
} from '../helpers/page/page-actions.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { photo } from '../helpers/photo.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture } from '../helpers/server/server-fixture.ts'

/* Sign-up, driver approval and password reset, each with an SMS code. */

const fixture = serverFixture()
const api = serverApi(fixture)

test('A sender signs up, verifies the phone by SMS, is logged in, and requests a delivery', async ({
  page,
}) => {
  const item = 'Exam papers'
  await page.goto(fixture().origin)
  await page.getByRole('link', { name: 'Login' }).click()
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await fillSignup(page, { name: 'Abena Asante', phone: '0244111222' })
  await screenshot(page, 'accounts-1-signup')
  await page.getByRole('button', { name: 'Sign Up' }).click()

  await expect(page.getByRole('heading', { name: 'Verify your phone' })).toBeVisible()
  await page.getByLabel('Verification code').fill('000000')
  await page.getByRole('button', { name: 'Verify Phone' }).click()
  await expect(toast(page, 'Verification Failed')).toContainText('not right')
  await screenshot(page, 'accounts-2-wrong-sms-code')
  await verify(page, '0244111222')

  await page.waitForURL(/\/send$/)
  await fillRequest(page, { item, from: 'Madina', to: 'Legon Campus', seed: 11 })
  await screenshot(page, 'accounts-3-form')
  const id = await submitRequest(page)
  const code = await codeShown(page)
  expect(await api.deliveriesNamed(item)).toEqual([
    expect.objectContaining({
      ID: id,
      deliveryCode: code,
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
})

test('R2, R4: A driver signs up with an ID, is pending, is approved by an admin, and Drive opens', async ({
  page,
  browser,
}) => {
  await api.createDelivery(await api.createAccount('Esi Quaye', 'sender'), {
    itemDescription: 'Wall clock',
  })
  await page.goto(fixture().origin)
  await page.getByRole('link', { name: 'Become a Driver' }).click()
  await expect(page.getByRole('radio', { name: 'Driver' })).toBeChecked()
  await fillSignup(page, { name: 'Kwame Tetteh', phone: '0244333444' })
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page.getByText('Please fill out all ID verification fields.').first()).toBeVisible()
  await screenshot(page, 'accounts-6-driver-without-id')
  await page.getByLabel('ID type').selectOption('Ghana Card')
  await page.getByLabel('ID number').fill('gha1234567890')
  await expect(page.getByLabel('ID number')).toHaveValue('GHA-123456789-0')
  await page.getByLabel('ID photo: Choose photo').setInputFiles(photo(12))
  await expect(page.getByRole('img', { name: 'Your ID' })).toBeVisible()
  await screenshot(page, 'accounts-7-driver-signup')
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await verify(page, '0244333444')

  await page.waitForURL(/\/driver-pending$/)
  await expect(page.getByRole('heading', { name: 'Driver Approval Pending' })).toBeVisible()
  await screenshot(page, 'accounts-8-driver-pending')
  await page.goto(`${fixture().origin}/drive`)
  await expect(page.getByRole('heading', { name: 'Driver Approval Required' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Drive', exact: true })).toHaveCount(0)

  const desk = await newPhone(browser, fixture().origin)
  await approveDriver(desk, 'Kwame Tetteh')

  // Without a reload: by an event, or by the next poll of the status.
  const drive = page.getByRole('heading', { name: 'Find Deliveries' })
  await expect(drive).toBeVisible({ timeout: 40_000 })
  await expect(page.getByRole('link', { name: 'Drive', exact: true }).first()).toBeAttached()
  await expect(page.getByRole('article', { name: 'Wall clock' })).toContainText('₵60')
  await screenshot(page, 'accounts-11-drive-opens')
})

test('R11: A forgotten password is reset with a code by SMS', async ({ page }) => {
  const adwoa = await api.createAccount('Adwoa Sarpong', 'sender')
  await page.goto(`${fixture().origin}/auth`)
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await page.getByLabel('Phone number').fill(adwoa.phone.replace(/^0/, '233'))
  await page.getByRole('button', { name: 'Send Code' }).click()
  await expect(page.getByLabel('Reset code')).toBeVisible()
  await page.getByLabel('Reset code').fill(await fixture().server.smsCode(adwoa.phone))
  await page.getByLabel('New password').fill('another long password')
  await screenshot(page, 'accounts-12-reset')
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await expect(page.getByRole('tab', { name: 'Login' })).toBeVisible()
  await logIn(page, { ...adwoa, password: 'another long password' })
  await expect(page).toHaveURL(/\/send$/)
})

async function fillSignup(page: Page, { name, phone }: { name: string; phone: string }) {
  await page.getByLabel('Full name').fill(name)
  await page.getByLabel('Email').fill(`${name.split(' ')[0]?.toLowerCase()}@example.com`)
  await page.getByLabel('Phone number').fill(phone)
  await page.getByLabel('Password').fill('a long enough password')
}

async function verify(page: Page, phone: string) {
  await page.getByLabel('Verification code').fill(await fixture().server.smsCode(phone))
  await page.getByRole('button', { name: 'Verify Phone' }).click()
}

async function approveDriver(desk: Page, name: string) {
  await logIn(desk, admin)
  await expect(desk).toHaveURL(/\/admin$/)
  await expect(desk.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()
  await desk.getByRole('link', { name: 'Drivers' }).click()
  const card = desk.getByRole('article', { name })
  await expect(card).toContainText('GHA-123456789-0')
  await card.getByRole('button', { name: 'View ID' }).click()
  const shown = desk.getByRole('dialog').getByRole('img')
  await expect(shown).toBeVisible()
  await expect.poll(() => shown.evaluate(isLoaded)).toBe(true)
  await screenshot(desk, 'accounts-9-admin-views-id')
  await desk.keyboard.press('Escape')
  await card.getByRole('button', { name: 'Approve' }).click()
  await expect(card).toContainText('approved', { timeout: 30_000 })
  await expect(card.getByRole('button', { name: 'Reject' })).toBeVisible()
  await expect(card.getByRole('button', { name: 'Approve' })).toHaveCount(0)
  await screenshot(desk, 'accounts-10-admin-approved')
  await desk.context().close()
}

const isLoaded = (image: Element) => image instanceof HTMLImageElement && image.naturalWidth > 0
