import { expect, type Page, test } from '@playwright/test'
import {
  acceptJob,
  codeShown,
  fillRequest,
  kofi,
  pill,
  submitRequest,
  toast,
  waitingHere,
} from '../../../e2e/helpers/page/page-actions.ts'
import {
  become,
  demoHost,
  network,
  openDemo,
  ready,
  watchStrays,
} from '../../../e2e/helpers/server/demo-host.ts'

const host = demoHost()
test.beforeEach(({ context }) => watchStrays(context, host()))
// The demo requests nothing but files of its own folder.
test.afterEach(() => expect(host().strays).toEqual([]))

test('On a lossy network a request arrives exactly once', async ({ page }) => {
  // As many losses as by chance, and never many in a row.
  await page.addInitScript(() => {
    let last = 0
    Math.random = () => {
      last = (last + 0.618034) % 1
      return last
    }
  })
  await openDemo(page, host(), 'send')
  await page.getByRole('button', { name: /^Demo: you are/ }).click()
  await page.getByRole('dialog').getByText('Lossy', { exact: true }).click()
  await page.keyboard.press('Escape')
  await fillRequest(page, { item: 'Sewing machine' }, kofi)
  await submitRequest(page)
  // Each time that the phone hears of a network it tries at once.
  await expect(async () => {
    await page.evaluate(() => dispatchEvent(new Event('online')))
    const code = page.getByTestId('delivery-code')
    await expect(code).toHaveText(/^\d{5}$/, { timeout: 2_000 })
  }).toPass({ timeout: 90_000 })
  await network(page, 'off')
  await network(page, 'on')
  await become(page, 'Admin')
  expect(await found(page, 'Sewing machine')).toBe(1)
})

test('Two tabs with two roles see each other’s changes', async ({ page, context }) => {
  await context.clock.install()
  await openDemo(page, host())
  await become(page, 'Driver')
  const other = await context.newPage()
  await other.goto(`${host().home}?play=sender`)
  await ready(other)
  await expect(other).toHaveURL(`${host().home}send`)
  await fillRequest(other, { item: 'Smoked fish' })
  await submitRequest(other)

  // A tab in the background draws once a second.
  await page.bringToFront()
  const job = page.getByRole('article', { name: 'Smoked fish' })
  // A list that is being read stays as it is until the person asks for what is new.
  const fresh = page.getByRole('button', { name: /new jobs?$/ })
  await expect(fresh.or(job).first()).toBeVisible()
  if (await fresh.isVisible()) await fresh.click()
  await acceptJob(page, 'Smoked fish')
  await expect(
    other
      .locator('#main')
      .getByText(/\bYaw\b/)
      .first(),
  ).toBeVisible()
})

test('With the network off a request waits, and is sent once when it is back; a reset builds the city again in every tab', async ({
  page,
  context,
}) => {
  await openDemo(page, host(), 'send')
  await network(page, 'off')
  await expect(pill(page)).toContainText('Offline')
  await fillRequest(page, { item: 'Fan belt' }, kofi)
  await submitRequest(page)
  await expect(waitingHere(page)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Outbox: 1 waiting' })).toBeVisible()
  await page.reload()
  await expect(pill(page)).toContainText('1 waiting')

  await network(page, 'on')
  await codeShown(page)
  const other = await context.newPage()
  await other.goto(`${host().home}?play=admin`)
  await ready(other)
  expect(await found(other, 'Fan belt')).toBe(1)
  await page.bringToFront()
  await page.evaluate(() => localStorage.setItem('somebody else’s', 'kept'))

  await page.getByRole('button', { name: /^Demo: you are/ }).click()
  await page.getByRole('button', { name: 'Reset' }).click()
  await page
    .getByRole('dialog', { name: 'Begin the demo anew?' })
    .getByRole('button', { name: 'Reset' })
    .click()
  await page.waitForURL(host().home)
  await ready(page)
  await expect(page.getByRole('link', { name: 'Track My Delivery' })).toBeHidden()
  await become(page, 'Admin')
  expect(await found(page, 'Fan belt')).toBe(0)
  // The admin of the other tab was signed in to the city that is gone.
  await ready(other)
  await expect(other).toHaveURL(host().home)
  await expect(other.getByRole('button', { name: /^Demo: you are Esi/ })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('somebody else’s'))).toBe('kept')
})

test('Codes are in the inbox: a new sender signs up, R109: a guest finds a delivery; the login fills in the admin', async ({
  page,
}) => {
  await openDemo(page, host(), 'send')
  const phone = await fillRequest(page, { item: 'Calabash' }, kofi)
  const id = await submitRequest(page)
  await codeShown(page)

  await page.goto(`${host().home}auth?step=guest`)
  await page.getByLabel('Your phone number').fill(phone)
  await page.getByRole('button', { name: 'Send Code' }).click()
  await page.getByLabel('Code', { exact: true }).fill(await textedCode(page, phone))
  await page.waitForURL(`**/delivery/${id}`)
  await codeShown(page)

  await page.goto(`${host().home}auth?tab=signup`)
  await page.getByLabel('Full name').fill('Akua New')
  await page.getByLabel('Email').fill('new.face@example.com')
  await page.getByLabel('Phone number').fill('0207770002')
  await page.getByLabel('Password').fill('a long enough password')
  await page.getByRole('tabpanel').getByRole('button', { name: 'Sign Up' }).click()
  await page.getByLabel('Verification code').fill(await textedCode(page, '0207770002'))
  await expect(page.getByRole('button', { name: 'SMS: no new texts' })).toBeVisible()
  await expect(page).toHaveURL(`${host().home}send`)
  await expect(toast(page, 'Phone Verified')).toBeVisible()

  await become(page, 'Guest')
  await page.goto(`${host().home}auth`)
  await expect(page.getByText('admin@soma.local')).toBeVisible()
  await page.getByRole('button', { name: 'Fill in the admin' }).click()
  await page.getByRole('tabpanel').getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL(`${host().home}admin`)
})

/** Reads the code of the newest text, which is to this number. */
async function textedCode(page: Page, phone: string): Promise<string> {
  await page.getByRole('button', { name: 'SMS: 1 new' }).click()
  const inbox = page.getByRole('dialog', { name: 'SMS inbox' })
  const text = inbox.getByRole('listitem').first()
  await expect(text).toContainText(`To ${phone}`)
  const copy = text.getByRole('button', { name: /^Copy \d{6}$/ })
  const code = (await copy.textContent())?.replace(/\D/g, '') ?? ''
  await page.keyboard.press('Escape')
  return code
}

/** How many deliveries of that name the admin finds. */
async function found(page: Page, item: string): Promise<number> {
  await page.goto(`${host().home}admin/deliveries`)
  await page.getByPlaceholder('Search all deliveries...').fill(item)
  const lines = page.locator('#main').getByRole('button', { name: new RegExp(item) })
  await expect(lines.first().or(page.getByText('No deliveries found.'))).toBeVisible()
  return lines.count()
}
