import { type Browser, expect, type Locator, type Page } from '@playwright/test'
import sharp from 'sharp'
import { handoverLink } from '#domain/deliveries/handover/handover-link.ts'
import { referenceOf } from '#domain/deliveries/reference.ts'
import { drawHandover } from '#store/deliveries/draw-handover.ts'
import { axeViolations } from '../helpers/page/axe.ts'
import { smallTargets } from '../helpers/page/layout-checks.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'

/* The recipient opens the link that the sender shares: no account, nothing of the app. */

const fixture = serverFixture()
const api = serverApi(fixture)
const item = '<b>Kente</b> cloth'

/** A phone without a session; what it asks for is recorded. */
async function recipientsPhone(browser: Browser) {
  const context = await browser.newContext()
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

/** Loads the page, also where only what stands after the # has changed. */
async function openAnew(page: Page, link: string) {
  await page.goto('about:blank')
  await page.goto(link)
}

/** Expects a QR code to be black on white in a browser that darkens every page itself. */
async function readableInForcedDark(qr: Locator) {
  const session = await qr.page().context().newCDPSession(qr.page())
  await session.send('Emulation.setAutoDarkModeOverride', { enabled: true })
  // Ten pixels for each of its 49 modules: the first four are the border, and the corner's dark square begins with the fifth.
  const image = sharp(await qr.screenshot()).resize(490, 490)
  const pixels = await image.greyscale().raw().toBuffer()
  const [border = 0, corner = 255] = [1, 4].map((module) => pixels[(module * 10 + 5) * 491])
  expect([border > 240, corner < 60]).toEqual([true, true])
  await session.send('Emulation.setAutoDarkModeOverride', {})
}

test('R111: the page opens in 20 kB, follows the parcel, sends the secret to nobody, and opens again without a network', async ({
  browser,
}) => {
  const ama = await api.createAccount('Ama Owusu', 'sender')
  const driver = await api.createDriver('Yaw Driver')
  const { secret, hashes } = drawHandover()
  const made = await api.createDelivery(ama, { itemDescription: item, ...hashes })
  const id = made.ID
  const code = made.deliveryCode ?? ''
  const link = handoverLink(fixture().origin, { id, secret, code })

  const { context, page, asked, bytes } = await recipientsPhone(browser)
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Waiting for a driver' })).toBeVisible()
  await expect(page.getByText(item)).toBeVisible()
  await expect(page.getByText('From Ama')).toBeVisible()
  await expect(page.getByText(`${made.pickupZone} → ${made.dropoffZone}`)).toBeVisible()
  expect(bytes()).toBeLessThan(20_480)
  const call = page.getByRole('link', { name: 'Call Yaw' })
  await expect(call).toBeHidden()
  await expect(page.locator('#code')).toHaveText(code)
  await api.acceptDelivery(driver, id)
  await page.evaluate(() => dispatchEvent(new Event('online')))
  const comes = page.getByRole('heading', { name: 'Yaw will bring it' })
  await expect(comes).toBeVisible()
  await expect(call).toHaveAttribute('href', `tel:${driver.phone}`)
  await page.getByLabel("I'm not there: leave it with").fill('the tailor')
  const sms = await page.getByRole('link', { name: 'Tell the driver by SMS' }).getAttribute('href')
  expect(decodeURIComponent(`${sms}`)).toContain('leave it with the tailor.')
  expect(await axeViolations(page)).toEqual([])
  expect(await smallTargets(page)).toEqual([])
  await screenshot(page, 'recipient-2-page')
  expect(asked.length).toBeGreaterThan(2)
  expect(asked.filter((each) => each.includes(secret))).toEqual([])

  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  // What the browser has deleted is stored again at the next opening.
  await page.evaluate(() => caches.keys().then((names) => caches.delete(names[0] ?? '')))
  await openAnew(page, link)
  const storedFiles = () =>
    page.evaluate(async () => {
      const [name = ''] = await caches.keys()
      return (await (await caches.open(name)).keys()).length
    })
  await expect.poll(storedFiles).toBe(2)
  // The app beside it clears what an older version of the app may have left (R84), and nothing of this page.
  const app = await context.newPage()
  await app.goto(fixture().origin)
  // Its worker is registered once that is done.
  await app.evaluate(async () => void (await navigator.serviceWorker.ready))
  await app.close()

  await context.setOffline(true)
  await openAnew(page, link)
  await expect(comes).toBeVisible()
  await expect(page.getByText(/^Offline, as of \d\d:\d\d$/)).toBeVisible()
  const qr = page.getByRole('img', { name: 'QR code for the driver' })
  await readableInForcedDark(qr)

  // What was handed over shows no code any more.
  const about = { token: driver.token, id }
  await api.ask('changeStatus', { ...about, body: { status: 'Picked Up' } })
  await api.ask('completeDelivery', { ...about, body: { handoverSecret: secret } })
  await context.setOffline(false)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Handed over' })).toBeVisible()
  await expect(qr).toBeHidden()
  await expect(call).toBeHidden()
  await page.getByText('I did not get it').click()
  const us = page.getByRole('link', { name: 'Call us' })
  await expect(us).toBeHidden()
  const report = await page.getByRole('link', { name: 'Tell Ama by SMS' }).getAttribute('href')
  expect(decodeURIComponent(`${report}`)).toContain(`I did not get “${item}”`)
  // Where the operator has a help line.
  await context.route('**/api/config', (route) =>
    route.fulfill({ json: { supportPhone: '0302123456' } }),
  )
  await page.reload()
  await page.getByText('I did not get it').click()
  await expect(us).toHaveAttribute('href', 'tel:0302123456')
  await expect(page.getByText(`it is about ${referenceOf(id)}`)).toBeVisible()
  expect(await smallTargets(page)).toEqual([])
  await screenshot(page, 'recipient-5-not-received')
  await context.close()
})

test('R111: a cut link and one that the server does not know say so', async ({ page }) => {
  const ama = await api.createAccount('Ama Owusu', 'sender')
  const { ID: id } = await api.createDelivery(ama, { itemDescription: item })
  const link = `${fixture().origin}/h/${id}#AAECAwQFBgcICQoLDA0ODw.12345`
  await page.goto(link.replace('#', '%23').slice(0, -12))
  await expect(page.getByRole('heading', { name: 'This link is not whole' })).toBeVisible()
  await screenshot(page, 'recipient-4-cut-link')
  await page.getByLabel('The message with the link').fill(`Show the driver this page: ${link}.`)
  await expect(page.getByRole('heading', { name: 'No news of this parcel' })).toBeVisible()
  await expect(page.getByText('12345')).toBeVisible()
})
