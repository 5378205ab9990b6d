import { expect, type Page } from '@playwright/test'
import { cutOff, largeText, linesOf } from '../../e2e/helpers/page/layout-checks.ts'
import { navigateTo, openPhone } from '../../e2e/helpers/page/open-phone.ts'
import {
  card,
  fillRequest,
  kofi,
  pill,
  submitRequest,
} from '../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../e2e/helpers/page/screenshot.ts'
import { type Account, serverApi } from '../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../e2e/helpers/server/server-fixture.ts'

/* The layout on a phone 360 px wide. */

const fixture = serverFixture()
const api = serverApi(fixture)

let ama: Account
test.beforeAll(async () => {
  ama = await api.createDriver('Ama Driver')
})

const at = () => ({ origin: fixture().origin })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('Short labels take one line', async ({ browser }) => {
  const page = await openPhone(browser, api, undefined, at())
  await navigateTo(page, '/send')
  expect(await linesOf(button(page, 'Choose photo'))).toBe(1)
  expect(await linesOf(button(page, 'Take photo'))).toBe(1)
  await fillRequest(page, { item: 'Box of mangoes' }, kofi)
  await page.route('**/api/**', (route) => route.abort())
  await submitRequest(page)
  await navigateTo(page, '/')
  await expect(pill(page)).toHaveText('Offline · 1 waiting')
  await screenshot(page, 'small-offline')
  expect(await linesOf(pill(page))).toBe(1)
  const login = page.getByRole('link', { name: 'Login' })
  expect((await login.boundingBox())?.y).toBe((await pill(page).boundingBox())?.y)
  // The pill does not take the title's place either, on the narrowest phone with large text.
  await page.getByRole('link', { name: /Track My Delivery/ }).click()
  const title = page.getByRole('heading', { name: 'Box of mangoes', level: 1 })
  await page.setViewportSize({ width: 320, height: 640 })
  await largeText(page)
  await screenshot(page, 'small-title')
  expect((await title.boundingBox())?.width).toBeGreaterThan(96)
  expect(await cutOff(page)).toEqual([])
  await page.context().close()

  const driver = await openPhone(browser, api, ama, at())
  await navigateTo(driver, '/drive?from=Osu&to=Tema')
  const route = button(driver, 'Osu → Tema')
  await expect(route).toBeVisible()
  expect(await linesOf(route)).toBe(1)
  await route.click()
  expect(await linesOf(button(driver, 'Find Deliveries'))).toBe(1)
  await driver.context().close()
})

test('A card keeps item, offer, route and Accept Job readable with text of 130 %, and of 200 % at 320 px, as do the room and the account', async ({
  browser,
}) => {
  const efua = await api.createAccount('Efua Sends', 'sender')
  const item = 'Wedding cloth for the whole family'
  const route = { pickupZone: 'Airport Residential Area', dropoffZone: 'Cantonments' }
  const about = { size: 'large', fragile: true } as const
  const made = await api.createDelivery(efua, {
    itemDescription: item,
    offer: 1250.5,
    ...about,
    ...route,
  })
  const page = await openPhone(browser, api, ama, { origin: `${fixture().origin}/drive` })
  const job = card(page, item)
  for (const [width, percent] of [
    [360, 130],
    [320, 200],
  ] as const) {
    await page.setViewportSize({ width, height: 740 })
    await largeText(page, percent)
    await screenshot(page, `small-card-${width}-${percent}`)
    expect(await cutOff(page)).toEqual([])
    const texts = [item, '₵1,250.50', 'Cantonments', 'Accept Job']
    const boxes = await Promise.all(texts.map((text) => job.getByText(text).boundingBox()))
    const bottoms = boxes.map((box) => (box ? box.y + box.height : Number.NaN))
    // The offer stands beside the item or below it, and all else below both.
    expect(boxes[2]?.y).toBeGreaterThanOrEqual(Math.max(bottoms[0] ?? 0, bottoms[1] ?? 0))
    expect(boxes[3]?.y).toBeGreaterThanOrEqual(bottoms[2] ?? 0)
  }
  await page.context().close()

  const sender = await openPhone(browser, api, efua, at())
  await sender.setViewportSize({ width: 320, height: 740 })
  for (const path of [`/delivery/${made.ID}`, '/profile']) {
    await navigateTo(sender, path)
    await expect(sender.getByText(path === '/profile' ? efua.phone : 'Cantonments')).toBeVisible()
    await largeText(sender)
    await screenshot(sender, `small-large-text-${path.split('/')[1]}`)
    expect(await cutOff(sender)).toEqual([])
  }
  const phone = await sender.getByText(efua.phone).boundingBox()
  const edit = await button(sender, 'Edit phone').boundingBox()
  expect(edit?.y).toBeGreaterThanOrEqual((phone?.y ?? Number.NaN) + (phone?.height ?? 0))
  await sender.context().close()
})

test('When a delivery is Delivered, Approve is within reach and the delivery code gone', async ({
  browser,
}) => {
  const kwame = await api.createAccount('Kwame Sends', 'sender')
  const made = await api.createDelivery(kwame, { itemDescription: 'Laptop' })
  const page = await openPhone(browser, api, kwame, at())
  await navigateTo(page, `/delivery/${made.ID}`)
  await expect(page.getByTestId('delivery-code')).toBeVisible()
  await api.completeDelivery(ama, made)
  const approve = button(page, 'Confirm and pay')
  await expect(approve).toBeVisible()
  await screenshot(page, 'small-delivered')
  await expect(page.getByTestId('delivery-code')).toBeHidden()
  const box = await approve.boundingBox()
  const { height = 0 } = page.viewportSize() ?? {}
  expect((box?.y ?? height) + (box?.height ?? 0)).toBeLessThanOrEqual(height)
  await page.context().close()
})
