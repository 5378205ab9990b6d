import { type Browser, expect, type Page, test } from '@playwright/test'
import { readHandoverLink } from '#domain/deliveries/handover-link.ts'
import { axeViolations } from '../helpers/page/axe.ts'
import { cutOff, largeText, smallTargets, usualText } from '../helpers/page/layout-checks.ts'
import {
  codeShown,
  fillRequest,
  logIn,
  newPhone,
  storedRows,
  submitRequest,
} from '../helpers/page/page-actions.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { inTheme } from '../helpers/page/theme.ts'
import { type Account, serverApi } from '../helpers/server/server-api.ts'
import { serverFixture } from '../helpers/server/server-fixture.ts'

/* The recipient opens the link that the sender shares: no account, nothing of the app. */

const fixture = serverFixture()
const api = serverApi(fixture)
const item = '<b>Kente</b> cloth'
let sender: Page
let driver: Account
let link: string
let id: string

test.describe.configure({ mode: 'serial' })
test.beforeAll(async ({ browser }) => {
  const ama = await api.createAccount('Ama Owusu', 'sender')
  driver = await api.createDriver('Yaw Driver')
  sender = await newPhone(browser, fixture().origin)
  await logIn(sender, ama)
  await sender.goto(`${fixture().origin}/send`)
  await fillRequest(sender, { item })
  id = await submitRequest(sender)
  await codeShown(sender)
})

/** A phone without a session; what it asks for is recorded. */
async function recipientsPhone(browser: Browser) {
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  })
  const page = await context.newPage()
  const asked: string[] = []
  context.on('request', (request) => {
    asked.push(`${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`)
  })
  let bytes = 0
  page.on('response', async (response) => {
    const sizes = await response.request().sizes()
    bytes += sizes.responseBodySize + sizes.responseHeadersSize
  })
  return { context, page, asked, bytes: () => bytes }
}

test('R110: the sender shares the link by WhatsApp, SMS and copy, and shows the code itself', async () => {
  await sender.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await sender.getByRole('button', { name: 'Copy link' }).click()
  link = await sender.evaluate(() => navigator.clipboard.readText())
  const [drawn] = (await storedRows(sender, 'handovers')) as { secret: string }[]
  const { deliveryCode } = await api.deliveryNamed(item)
  expect(readHandoverLink(link)).toEqual({ id, secret: drawn?.secret, code: deliveryCode })
  expect(link.startsWith(`${fixture().origin}/h/`)).toBe(true)
  for (const name of ['WhatsApp', 'SMS']) {
    const href = await sender.getByRole('link', { name, exact: true }).first().getAttribute('href')
    expect(decodeURIComponent(`${href}`)).toContain(link)
  }
  await sender.getByRole('button', { name: 'Show QR' }).click()
  await expect(sender.getByRole('img', { name: 'QR code of this delivery' })).toBeVisible()
  await screenshot(sender, 'recipient-1-senders-qr')
  await sender.getByRole('button', { name: 'Close' }).click()
})

test('R111: the page opens in 20 kB, follows the parcel, and sends the secret to nobody', async ({
  browser,
}) => {
  const { context, page, asked, bytes } = await recipientsPhone(browser)
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Waiting for a driver' })).toBeVisible()
  await expect(page.getByText(item)).toBeVisible()
  await expect(page.getByText('From Ama')).toBeVisible()
  expect(bytes()).toBeLessThan(20_480)
  await expect(page.getByRole('link', { name: 'Call Yaw' })).toBeHidden()
  const { deliveryCode } = await api.deliveryNamed(item)
  await expect(page.locator('#code')).toHaveText(`${deliveryCode}`)
  await api.ask('acceptDelivery', { token: driver.token, id })
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(page.getByRole('heading', { name: 'Yaw will bring it' })).toBeVisible()
  expect(await page.getByRole('link', { name: 'Call Yaw' }).getAttribute('href')).toBe(
    `tel:${driver.phone}`,
  )
  await page.getByLabel("I'm not there: leave it with").fill('the tailor')
  const sms = await page.getByRole('link', { name: 'Tell the driver by SMS' }).getAttribute('href')
  expect(decodeURIComponent(`${sms}`)).toContain('leave it with the tailor.')
  for (const theme of ['light', 'dark'] as const) {
    await inTheme(page, theme)
    expect(await axeViolations(page)).toEqual([])
    await screenshot(page, `recipient-2-page-${theme}`)
  }
  const { secret = '' } = readHandoverLink(link) ?? {}
  expect(asked.length).toBeGreaterThan(2)
  expect(asked.filter((each) => each.includes(secret))).toEqual([])
  await context.close()
})

test('R111: the second opening needs no network', async ({ browser }) => {
  const { context, page } = await recipientsPhone(browser)
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Yaw will bring it' })).toBeVisible()
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await page.goto('about:blank')
  await context.setOffline(true)
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Yaw will bring it' })).toBeVisible()
  await expect(page.getByText(/^Offline, as of \d\d:\d\d$/)).toBeVisible()
  await expect(page.getByRole('img', { name: 'QR code for the driver' })).toBeVisible()
  await context.close()
})

test('R111: with the app on the same phone the link opens the recipient’s page', async () => {
  await sender.evaluate(async () => void (await navigator.serviceWorker.ready))
  const page = await sender.context().newPage()
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Yaw will bring it' })).toBeVisible()
  await page.close()
})

test('R111: a cut link and one that the server does not know say so', async ({ browser }) => {
  const { context, page } = await recipientsPhone(browser)
  await page.goto(link.slice(0, -12))
  await expect(page.getByRole('heading', { name: 'This link is not whole' })).toBeVisible()
  await page.goto(`${fixture().origin}/h/${id}#AAECAwQFBgcICQoLDA0ODw.12345`)
  await expect(page.getByRole('heading', { name: 'No news of this parcel' })).toBeVisible()
  await expect(page.getByText('12345')).toBeVisible()
  await context.close()
})

test('R111: on a phone of 320 pixels with large text nothing is cut off', async ({ browser }) => {
  const { context, page } = await recipientsPhone(browser)
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(link)
  await expect(page.getByRole('link', { name: 'Call Yaw' })).toBeVisible()
  await page.getByLabel("I'm not there: leave it with").fill('the tailor')
  expect(await smallTargets(page)).toEqual([])
  await largeText(page)
  expect(await cutOff(page)).toEqual([])
  await screenshot(page, 'recipient-3-large-text')
  await usualText(page)
  await context.close()
})

test('R111: what was handed over shows no code any more', async ({ browser }) => {
  const about = { token: driver.token, id }
  await api.ask('changeStatus', { ...about, body: { status: 'Picked Up' } })
  const { secret = '' } = readHandoverLink(link) ?? {}
  await api.ask('completeDelivery', { ...about, body: { handoverSecret: secret } })
  const { context, page } = await recipientsPhone(browser)
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Handed over' })).toBeVisible()
  await expect(page.getByRole('img', { name: 'QR code for the driver' })).toBeHidden()
  await expect(page.getByRole('link', { name: 'Call Yaw' })).toBeHidden()
  await context.close()
})
