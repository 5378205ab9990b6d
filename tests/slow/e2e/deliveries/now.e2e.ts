import { expect, type Locator, type Page } from '@playwright/test'
import { openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import {
  card,
  chooseTile,
  fillRequest,
  kofi,
  nextStep,
  sayPaid,
  storedRows,
  submitRequest,
  toast,
} from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { count } from '../../../e2e/helpers/server/network.ts'
import { type Account, serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

/* What is mine and what is next: cards for what is under way, and what others do. */

const fixture = serverFixture()
const api = serverApi(fixture)

/** Two pictures of a phone's screen: what is under the thumb must be the same on both. */
const places = (page: Page) =>
  page
    .getByRole('article')
    .evaluateAll((all) =>
      all.map((each) => [each.ariaLabel, Math.round(each.getBoundingClientRect().top)]),
    )

test.describe.configure({ mode: 'serial' })
let driver: Account
test.beforeAll(async () => {
  driver = await api.createDriver('Kofi Mensah')
})

/** Waits until the page hears of events. */
const hears = (page: Page) =>
  expect
    .poll(async () => (await storedRows(page, 'meta')) as { key: string; value?: object }[])
    .toContainEqual({ key: 'stream', value: expect.objectContaining({ open: true }) })

test('Jobs stay where they are while others come and go; four fit on a phone', async ({
  browser,
}) => {
  const senders = await Promise.all(
    Array.from({ length: 8 }, (_, at) => api.createAccount(`Sender ${at}`, 'sender')),
  )
  for (const [at, sender] of senders.entries())
    await api.createDelivery(sender, { itemDescription: `Parcel ${at}`, offer: 40 + at })
  const page = await openPhone(browser, api, await api.createDriver('Kofi Mensah'), {
    origin: `${fixture().origin}/drive`,
  })
  await expect(page.getByText('8 jobs')).toBeVisible()
  await hears(page)
  const tabBar = (await page.getByRole('navigation', { name: 'Tabs' }).boundingBox())?.y ?? 0
  const fourth = await page.getByRole('article').nth(3).boundingBox()
  expect((fourth?.y ?? 0) + (fourth?.height ?? 0)).toBeLessThanOrEqual(tabBar)
  await screenshot(page, 'now-1-four-jobs')

  await card(page, 'Parcel 2').scrollIntoViewIfNeeded()
  const before = await places(page)
  const late = await api.createAccount('Late Sender', 'sender')
  await api.createDelivery(late, { itemDescription: 'Late parcel' })
  const taken = await api.deliveryNamed('Parcel 7')
  await api.acceptDelivery(await api.createDriver('Yaw Other'), taken.ID)
  await expect(page.getByRole('button', { name: '1 new job' })).toBeVisible()
  await expect(card(page, 'Parcel 7')).toContainText('Not available')
  expect(await places(page)).toEqual(before)
  await screenshot(page, 'now-2-one-new-job')

  await page.getByRole('button', { name: '1 new job' }).click()
  await expect(card(page, 'Late parcel')).toBeVisible()
  await page.context().close()
})

test('R100: A sender hears on any screen of what the driver did, sees the next step, and pays with two taps', async ({
  browser,
}) => {
  const ama = await api.createAccount('Ama Sender', 'sender')
  const made = await api.createDelivery(ama, { itemDescription: 'Laptop', offer: 50 })
  const page = await openPhone(browser, api, ama, {
    origin: fixture().origin,
    clock: true,
    prepare: async (prepared) => {
      await prepared.addInitScript(() => {
        navigator.vibrate = () => {
          document.documentElement.dataset.vibrated = 'yes'
          return true
        }
      })
    },
  })
  await expect(card(page, 'Laptop')).toContainText('Waiting for a driver')
  await page.goto(`${fixture().origin}/profile`)
  await expect(page.getByRole('heading', { name: 'Account Information' })).toBeVisible()
  await hears(page)
  // Nobody looks at the page just now.
  await page.evaluate(() => {
    document.hasFocus = () => false
  })
  await api.acceptDelivery(driver, made.ID)
  await expect(toast(page, 'Kofi accepted your delivery')).toContainText('Laptop · Osu to Tema')
  // The toast stays until it was looked at.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 100))
  await expect(page).toHaveTitle(/^\(1\) Soma/)
  await expect(page.locator('html')).toHaveAttribute('data-vibrated', 'yes')
  await screenshot(page, 'now-3-announced')
  await page.evaluate(() => {
    document.hasFocus = () => true
    dispatchEvent(new Event('focus'))
  })
  await expect(page).toHaveTitle(/^Soma/)

  await toast(page, 'Kofi accepted your delivery').getByRole('button', { name: 'Open' }).click()
  await page.clock.resume()
  await expect(nextStep(page)).toContainText('Kofi is coming to Osu')
  // The driver can be called without scrolling.
  const call = await page.getByRole('link', { name: 'Call Kofi' }).first().boundingBox()
  expect((call?.y ?? 9_999) + (call?.height ?? 0)).toBeLessThan(740)
  await screenshot(page, 'now-4-sender-room')

  await api.ask('changeStatus', { token: driver.token, id: made.ID, body: { status: 'Picked Up' } })
  await expect(toast(page, 'Kofi picked up your item')).toBeVisible()
  const { deliveryCode: code = '' } = await api.deliveryNamed('Laptop')
  await api.ask('completeDelivery', { token: driver.token, id: made.ID, body: { code } })
  await expect(nextStep(page)).toContainText('Handed over. Pay Kofi ₵50 and confirm')
  await page.goto(fixture().origin)
  await expect(card(page, 'Laptop')).toContainText('Handed over. Pay Kofi ₵50 and confirm')
  await screenshot(page, 'now-5-delivered')
  await page.goto(`${fixture().origin}/send`)
  await expect(page.getByText('Confirm it to send another.')).toBeVisible()
  await card(page, 'Laptop').getByRole('button', { name: 'Confirm and pay' }).click()
  await sayPaid(page, 'cash')
  await expect.poll(async () => (await api.deliveryNamed('Laptop')).status).toBe('Approved')
  await expect(card(page, 'Laptop')).toBeHidden()
  await page.context().close()
})

test('R58, R97: A guest sees both of two deliveries with their time limit, and hears at once that one was accepted', async ({
  browser,
}) => {
  const page = await openPhone(browser, api, undefined, {
    origin: fixture().origin,
  })
  const request = async (item: string) => {
    await page.goto(`${fixture().origin}/send`)
    await fillRequest(page, { item }, kofi)
    const id = await submitRequest(page)
    await expect(nextStep(page)).toContainText('Waiting for a driver')
    return id
  }
  const older = await request('First drum')
  await request('Second drum')
  await page.goto(fixture().origin)
  for (const item of ['First drum', 'Second drum'])
    await expect(card(page, item)).toContainText(
      /Track My Delivery.*tracked until \d\d:\d\d tomorrow/,
    )
  await screenshot(page, 'now-6-guest-home')
  await page.goto(`${fixture().origin}/delivery/${older}`)
  await expect(nextStep(page)).toContainText('Waiting for a driver')
  await hears(page)
  const asked = () => count(fixture().proxy.requests, `GET /api/deliveries/${older}`)
  const driver = await api.createDriver('Yaw Third')
  const before = asked()
  await api.acceptDelivery(driver, older)
  await expect(nextStep(page)).toContainText('Yaw is coming to Osu')
  expect(asked() - before).toBeLessThanOrEqual(2)
  await page.context().close()
})

test('What a guest types stays under the thumb when a delivery of another tab appears above it', async ({
  browser,
}) => {
  const origin = `${fixture().origin}/send`
  const page = await openPhone(browser, api, undefined, { origin })
  const other = await page.context().newPage()
  await other.goto(origin)
  await fillRequest(other, { item: 'Third drum' }, kofi)
  const field = page.getByLabel('Describe the item')
  await chooseTile(page, 'Other')
  await field.focus()
  await submitRequest(other)
  await expect(page.getByRole('heading', { name: 'My Active Delivery' })).toBeVisible()
  await expect(field).toBeFocused()
  await page.context().close()
})

test('R4, R100: A driver hears that they were approved, and one who was rejected is told so everywhere', async ({
  browser,
}) => {
  const efua = await api.createAccount('Efua Driver', 'driver')
  const page = await openPhone(browser, api, efua, {
    origin: fixture().origin,
  })
  await expect(page.getByRole('heading', { name: 'Driver Application Pending' })).toBeVisible()
  const decide = (status: 'approved' | 'rejected') =>
    api.asAdmin('reviewDriver', { id: efua.id, body: { status } })
  await decide('approved')
  await expect(toast(page, 'You are approved to drive')).toBeVisible()
  await toast(page, 'You are approved to drive')
    .getByRole('button', { name: 'Find Deliveries' })
    .click()
  await expect(page.getByRole('heading', { name: 'Find Deliveries' })).toBeVisible()
  await decide('rejected')
  await expect(toast(page, 'Your driver application was rejected')).toBeVisible()
  await expect(page.locator('#main')).toContainText('Your application was rejected')
  await expect(page.locator('#main')).not.toContainText('under review')
  await page.goto(fixture().origin)
  await expect(page.locator('#main')).toContainText('Driver Application Rejected')
  await expect(page.locator('#main')).not.toContainText('under review')
  await page.goto(`${fixture().origin}/driver-pending`)
  await expect(page.locator('#main')).toContainText('Your application was rejected')
  await screenshot(page, 'now-7-rejected')
  await page.context().close()
})

test('From 1,024 px Home, Drive and the room have two columns; at 1280 × 800 the timeline is in view, and what was delivered takes one line above the jobs', async ({
  browser,
}) => {
  const yaw = await api.createDriver('Yaw Fourth')
  const [abena, ama] = [
    await api.createAccount('Abena Wide', 'sender'),
    await api.createAccount('Ama Wide', 'sender'),
  ]
  await api.createDelivery(ama, { itemDescription: 'Open job' })
  const { ID, deliveryCode = '' } = await api.createDelivery(abena, { itemDescription: 'Harp' })
  await api.acceptDelivery(yaw, ID)
  const origin = fixture().origin
  const page = await openPhone(browser, api, yaw, { origin })
  const sees = async (width: number, path: string, [first, second]: [Locator, Locator]) => {
    await page.setViewportSize({ width, height: 800 })
    if (!page.url().endsWith(path)) await page.goto(origin + path)
    const beside = async () => {
      const [one, other] = [await first.boundingBox(), await second.boundingBox()]
      return one && other && other.x >= one.x + one.width && other.y < one.y + one.height
    }
    await expect.poll(beside, `${path} at ${width}`).toBe(width >= 1024)
  }
  const timeline = page.getByRole('region', { name: 'Timeline' })
  const room: [Locator, Locator] = [nextStep(page), timeline]
  for (const width of [1023, 1024, 1280]) await sees(width, `/delivery/${ID}`, room)
  const box = await timeline.boundingBox()
  expect((box?.y ?? 0) + (box?.height ?? 800)).toBeLessThanOrEqual(800)

  await api.ask('changeStatus', { token: yaw.token, id: ID, body: { status: 'Picked Up' } })
  await api.ask('completeDelivery', { token: yaw.token, id: ID, body: { code: deliveryCode } })
  await expect(nextStep(page)).toContainText('waiting for approval')
  const jobs: [Locator, Locator] = [card(page, 'Open job'), page.getByRole('img', { name: /^Map/ })]
  for (const width of [1280, 1024]) await sees(width, '/drive', jobs)
  const line = page.getByText('Delivered, waiting for approval').locator('..')
  await expect(line).toContainText('Harp')
  expect((await line.boundingBox())?.height).toBeLessThan(64)
  await page.setViewportSize({ width: 1023, height: 800 })
  await expect(card(page, 'Harp')).toBeVisible()
  await expect(line).toBeHidden()
  await expect(page.getByRole('img', { name: /^Map/ })).toBeHidden()
  const home: [Locator, Locator] = [
    page.locator('#main section', { has: page.getByRole('heading', { level: 1 }) }),
    page.getByRole('link', { name: /^Find Deliveries/ }),
  ]
  for (const width of [1023, 1024]) await sees(width, '/', home)
  await page.context().close()
})
