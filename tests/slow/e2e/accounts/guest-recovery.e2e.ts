import { expect, type Page } from '@playwright/test'
import { v7 } from 'uuid'
import { axeViolations } from '../../../e2e/helpers/page/axe.ts'
import {
  cutOff,
  largeText,
  smallTargets,
  usualText,
} from '../../../e2e/helpers/page/layout-checks.ts'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import {
  card,
  codeShown,
  nextStep,
  offline,
  online,
  seesOffline,
  toast,
} from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { inTheme } from '../../../e2e/helpers/page/theme.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

/* A guest whose phone forgot gets their deliveries back with a code by SMS (R109). */

const fixture = serverFixture()
const api = serverApi(fixture)
const at = () => ({ origin: fixture().origin })

/** What a guest requested on a phone that has forgotten it. */
async function request(itemDescription: string, senderName: string, senderPhone: string) {
  const body = {
    itemDescription,
    senderName,
    senderPhone,
    pickupZone: 'Osu',
    dropoffZone: 'Tema',
    offer: 60,
    recipientName: 'Esi Mensah',
    recipientPhone: '0550000001',
    itemPhoto: await api.uploadPhoto(),
  }
  return (await api.ask('createGuestDelivery', { key: v7(), body })).delivery.ID
}

/** The sixth digit sends it. */
const enterCode = (page: Page, code: string) => page.getByLabel('Code', { exact: true }).fill(code)

test('R109: one delivery comes back from the login screen, also after a wrong code and a dead zone', async ({
  browser,
}) => {
  const phone = '0244555001'
  const id = await request('Lantern', 'Kwesi Appiah', phone)
  const page = await openPhone(browser, api, undefined, { ...at(), clock: true })
  await navigateTo(page, '/auth')
  await screenshot(page, 'recovery-1-login')
  await page.getByRole('link', { name: 'Guest? Get your deliveries back' }).click()
  await expect(page.getByRole('heading', { name: 'Get your deliveries back' })).toBeVisible()
  await page.getByRole('button', { name: 'Send Code' }).click()
  await expect(page.getByText('Phone number must be exactly 10 digits.')).toBeVisible()
  await page.getByLabel('Your phone number').fill('+233 24 455 5001')
  await offline(page)
  await page.getByRole('button', { name: 'Send Code' }).click()
  await expect(page.getByText('No connection right now.').first()).toBeVisible()
  await expect(page.getByLabel('Your phone number')).toHaveValue('+233 24 455 5001')
  await seesOffline(page, page.getByText("You're offline"))
  await screenshot(page, 'recovery-2-offline')
  await online(page)
  await expect(page.getByText("You're offline")).toBeHidden()
  await page.getByRole('button', { name: 'Send Code' }).click()
  await expect(toast(page, 'Code Sent')).toBeVisible()
  await expect(page.getByText('Enter the 6-digit code sent to 0244555001.')).toBeVisible()
  for (const colorScheme of ['light', 'dark'] as const) {
    await inTheme(page, colorScheme)
    await screenshot(page, `recovery-3-code-${colorScheme}`)
    expect(await axeViolations(page, { colorScheme })).toEqual([])
  }
  await inTheme(page, 'light')

  const code = await fixture().server.smsCode(phone)
  await enterCode(page, code === '000000' ? '000001' : '000000')
  await expect(toast(page, 'Verification Failed')).toBeVisible()
  await enterCode(page, code)
  await page.waitForURL(`**/delivery/${id}`)
  await expect(page.getByRole('heading', { name: 'Lantern' })).toBeVisible()
  await codeShown(page)
  await screenshot(page, 'recovery-4-room')
  // What the guest does from here counts.
  await page.getByRole('button', { name: 'Cancel delivery' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Cancel/ })
    .first()
    .click()
  await expect.poll(async () => (await api.deliveryNamed('Lantern')).status).toBe('Cancelled')
  await page.context().close()
})

test('R109: several come back from the screen of a lost delivery, and are listed', async ({
  browser,
}) => {
  const phone = '0244555002'
  const id = await request('Teapot', 'Efua Sarpong', phone)
  await request('Saucer', 'Efua Sarpong', phone)
  const small = { width: 320, height: 640 }
  const page = await openPhone(browser, api, undefined, { ...at(), viewport: small, screen: small })
  await navigateTo(page, `/delivery/${id}`)
  await expect(page.getByRole('heading', { name: 'Session Expired' })).toBeVisible()
  await screenshot(page, 'recovery-5-expired')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByRole('link', { name: 'Find it by SMS' }).click()
  await expect(page.getByLabel('Your phone number')).toBeVisible()
  expect(await smallTargets(page)).toEqual([])
  await largeText(page)
  await screenshot(page, 'recovery-6-large')
  expect(await cutOff(page)).toEqual([])
  await usualText(page)
  await page.getByLabel('Your phone number').fill(phone)
  await page.getByRole('button', { name: 'Send Code' }).click()
  await expect(page.getByLabel('Code', { exact: true })).toBeFocused()
  await largeText(page)
  await screenshot(page, 'recovery-7-large')
  expect(await cutOff(page)).toEqual([])
  await page.reload()
  await enterCode(page, await fixture().server.smsCode(phone))
  await page.waitForURL('**/deliveries')
  for (const item of ['Teapot', 'Saucer']) await expect(card(page, item)).toBeVisible()
  await screenshot(page, 'recovery-8-list')
  await navigateTo(page, `/delivery/${id}`)
  await expect(nextStep(page)).toContainText('Waiting for a driver')
  await page.context().close()
})

test('R56, R109: a number without deliveries gets the same answer', async ({ browser }) => {
  const page = await openPhone(browser, api, undefined, at())
  await navigateTo(page, '/auth?step=guest')
  await page.getByLabel('Your phone number').fill('0244555999')
  await page.getByRole('button', { name: 'Send Code' }).click()
  await expect(toast(page, 'Code Sent')).toContainText('If this number has deliveries')
  await expect(page.getByLabel('Code', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Use another number' }).click()
  await expect(page.getByLabel('Your phone number')).toBeVisible()
  await page.context().close()
})

test('R216: from the privacy text a guest deletes what their number sent, once nothing of it is under way', async ({
  browser,
}) => {
  const phone = '0244555003'
  const id = await request('Kettle', 'Abena Boateng', phone)
  const page = await openPhone(browser, api, undefined, at())
  await navigateTo(page, '/send?step=3')
  await page.getByRole('button', { name: 'How we use your data' }).click()
  await page.getByRole('link', { name: 'Delete what you sent as a guest' }).click()
  await expect(page.getByRole('heading', { name: 'Delete your deliveries' })).toBeVisible()
  await page.getByLabel('Your phone number').fill(phone)
  await screenshot(page, 'erase-1-number')
  await page.getByRole('button', { name: 'Send Code' }).click()
  await expect(page.getByText(`Enter the 6-digit code sent to ${phone}.`)).toBeVisible()
  const erase = page.getByRole('button', { name: 'Delete my deliveries' })
  await enterCode(page, await fixture().server.smsCode(phone))
  await erase.click()
  await expect(page.getByText('Something of yours is still open.').first()).toBeVisible()
  await api.asAdmin('changeStatus', { id, body: { status: 'Cancelled' } })
  for (const colorScheme of ['light', 'dark'] as const) {
    await inTheme(page, colorScheme)
    await screenshot(page, `erase-2-code-${colorScheme}`)
    expect(await axeViolations(page, { colorScheme })).toEqual([])
  }
  expect(await smallTargets(page)).toEqual([])
  await largeText(page)
  expect(await cutOff(page)).toEqual([])
  await usualText(page)
  await erase.click()
  await expect(toast(page, 'Deliveries deleted')).toBeVisible()
  await expect(page).toHaveURL(`${fixture().origin}/`)
  await screenshot(page, 'erase-3-done')
  expect(JSON.stringify(await api.deliveryNamed('Kettle'))).not.toContain(phone)
  await page.context().close()
})
