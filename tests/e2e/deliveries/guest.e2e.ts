import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, expect, type Page } from '@playwright/test'
import { openPhone } from '../helpers/page/open-phone.ts'
import {
  asTimePasses,
  card,
  codeShown,
  fillRequest,
  kofi,
  pill,
  sayPaid,
  storedRows,
  submitRequest,
  toast,
  waitingHere,
} from '../helpers/page/page-actions.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { installed } from '../helpers/page/worker.ts'
import { count } from '../helpers/server/network.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'

/* A guest's delivery under every kind of network failure. */

const fixture = serverFixture()
const api = serverApi(fixture)

const upload = 'POST /api/images/upload '
const create = 'POST /api/guest/deliveries '

test('A guest’s offline request survives a reload, a killed tab and a browser restart, and is sent once', async () => {
  const item = 'Box of mangoes'
  const disk = mkdtempSync(join(tmpdir(), 'soma-phone-'))
  let phone = await chromium.launchPersistentContext(disk)
  try {
    let page = await phone.newPage()
    await page.goto(fixture().origin)
    await installed(page)

    await networkGoes(phone)
    await page.getByRole('link', { name: 'Send a Package' }).click()
    await fillRequest(page, { item, offer: '45.50' }, kofi)
    await screenshot(page, 'guest-1-form-offline')
    const id = await submitRequest(page)
    await expectsToWait(page, item)
    await screenshot(page, 'guest-2-room-waiting')

    await page.reload()
    await expectsToWait(page, item)

    await page.close()
    page = await phone.newPage()
    await page.goto(`${fixture().origin}/delivery/${id}`)
    await expectsToWait(page, item)

    await phone.close()
    phone = await chromium.launchPersistentContext(disk)
    await phone.setOffline(true)
    page = await phone.newPage()
    await page.goto(fixture().origin)
    await screenshot(page, 'guest-3-home-after-restart')
    await page
      .getByRole('link', { name: `Track My Delivery Active delivery for ${kofi.name}` })
      .click()
    await expectsToWait(page, item)
    expect(await api.deliveriesNamed(item)).toEqual([])

    const before = fixture().proxy.requests.length
    await networkReturns(phone)
    const code = await codeShown(page)
    await screenshot(page, 'guest-4-room-arrived')
    const made = await api.deliveryNamed(item)
    expect(made).toMatchObject({ ID: id, status: 'Pending', offer: 45.5, deliveryCode: code })
    expect(await typeOf(made.itemPhoto)).toMatch(/^image\//)
    const since = fixture().proxy.requests.slice(before)
    expect(count(since, upload)).toBe(1)
    expect(count(since, create)).toBe(1)
    await expect(pill(page)).toBeHidden()
  } finally {
    await phone.close()
    rmSync(disk, { recursive: true, force: true })
  }
})

test('R26, R58: A guest finds the way back to the delivery, approves it from Home, is asked for a rating and is taken to Home; the driver is paid once', async ({
  browser,
}) => {
  const item = 'Cooking pot'
  const page = await openForm(browser, { clock: true })
  await fillRequest(page, { item, offer: '80', seed: 5 }, kofi)
  const id = await submitRequest(page)
  await codeShown(page)
  await outcomesSeen(page)
  await page.goto(`${fixture().origin}/send`)
  const active = toast(page, 'Active Guest Delivery')
  await expect(active).toContainText('You have an active delivery. Click to track it.')
  await screenshot(page, 'guest-8-active-toast')
  await active.getByRole('button', { name: 'Track Delivery' }).click()
  await expect(page.getByRole('heading', { name: item })).toBeVisible()
  const ama = await api.createDriver('Ama Owusu')
  await api.completeDelivery(ama, await api.deliveryNamed(item))

  await expect(page.getByRole('region', { name: 'Driver' })).toContainText('Ama')
  await screenshot(page, 'guest-6-delivered')
  await page.getByRole('link', { name: 'Back' }).click()
  await card(page, item).getByRole('button', { name: 'Confirm and pay' }).click()
  await screenshot(page, 'guest-7-approve-dialog')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: '4 stars' }).press(' ')
  await screenshot(page, 'guest-9-rating')
  // Until the receipt is open only the test moves the time.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000)
  await sayPaid(page, 'momo')

  // Whoever has opened the receipt reads it to its end (R185).
  const receipt = page.getByRole('button', { name: 'Receipt' })
  await asTimePasses(page, () => receipt.count(), 500).toBe(1)
  await receipt.click()
  await page.clock.resume()
  await expect(page.getByRole('dialog')).toContainText('By mobile money, to the driver')
  await page.clock.fastForward(60_000)
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await asTimePasses(page, async () => page.url()).toBe(`${fixture().origin}/`)
  await expect(page.getByRole('link', { name: 'Send a Package' })).toBeVisible()
  await expect(page.getByRole('link', { name: /Track My Delivery/ })).toBeHidden()
  expect(await api.deliveryNamed(item)).toMatchObject({
    status: 'Approved',
    ratings: { sender: { stars: 4 } },
  })
  expect(await api.ledger(id)).toEqual([
    { kind: 'hold', account: `guest:${id}`, pesewas: -8_000 },
    { kind: 'hold', account: `promised:${id}`, pesewas: 8_000 },
    { kind: 'payout', account: `owed:${id}`, pesewas: -8_000 },
    { kind: 'payout', account: `driver:${ama.id}`, pesewas: 8_000 },
    { kind: 'release', account: `promised:${id}`, pesewas: -8_000 },
    { kind: 'release', account: `owed:${id}`, pesewas: 8_000 },
  ])
  await page.context().close()
})

/** Photo and request were sent and the person told: no toast about it comes after this. */
const outcomesSeen = (page: Page) =>
  expect
    .poll(async () => {
      const entries = (await storedRows(page, 'outbox')) as { state: string; unseen?: 1 }[]
      return entries.map(({ state, unseen }) => `${state} ${unseen ? 'unseen' : 'seen'}`)
    })
    .toEqual(['done seen', 'done seen'])

const openForm = (browser: Browser, options: { clock?: boolean; serviceWorkers?: 'allow' } = {}) =>
  openPhone(browser, api, undefined, { origin: `${fixture().origin}/send`, ...options })

/** Sets the browser offline and cuts the proxy. */
async function networkGoes(phone: BrowserContext) {
  await phone.setOffline(true)
  fixture().proxy.set({ kind: 'cut' })
}

async function networkReturns(phone: BrowserContext) {
  fixture().proxy.set({ kind: 'fine' })
  await phone.setOffline(false)
}

async function expectsToWait(page: Page, item: string) {
  await expect(page.getByRole('heading', { name: item })).toBeVisible()
  await expect(waitingHere(page)).toBeVisible()
  await expect(page.getByText('Your code appears once the request is sent')).toBeVisible()
  await expect(pill(page)).toHaveText('Offline · 1 waiting')
}

/** The response of the image provider for this URL. */
async function typeOf(url = ''): Promise<string | null> {
  const answer = await fetch(url)
  return answer.ok ? answer.headers.get('content-type') : null
}
