import { expect } from '@playwright/test'
import { openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { card } from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { type Account, serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

/* Jobs on a driver's way (R164). */

const fixture = serverFixture()
const api = serverApi(fixture)
const jobs = { near: 'Box of mangoes', direct: 'Sewing machine', off: 'Bag of cement' }
let yaw: Account

test.beforeAll(async () => {
  const offer = async (item: string, pickupZone: string, dropoffZone: string, price: number) => {
    const by = await api.createAccount(`Sender of ${item}`, 'sender')
    await api.createDelivery(by, { itemDescription: item, pickupZone, dropoffZone, offer: price })
  }
  await offer(jobs.near, 'Madina', 'Osu', 60)
  await offer(jobs.direct, 'Adenta', 'Accra Central', 20)
  await offer(jobs.off, 'Tema', 'Spintex', 90)
  yaw = await api.createDriver('Yaw Driver')
  const commute = { from: 'Adenta', to: 'Accra Central', days: [1], leaves: '07:00' }
  await api.ask('changeCommutes', {
    token: yaw.token,
    key: crypto.randomUUID(),
    body: { commutes: [{ ...commute, notify: false }] },
  })
})

test('R166: outside its hours one tap leads to the next commute, and four of its jobs fit on a phone', async ({
  browser,
}) => {
  for (const [item, pickupZone, dropoffZone] of [
    ['Two chairs', 'Legon Campus', 'Dzorwulu'],
    ['Bag of shoes', 'Legon Campus', 'Dzorwulu'],
  ] as const) {
    const by = await api.createAccount(`Sender of ${item}`, 'sender')
    await api.createDelivery(by, { itemDescription: item, pickupZone, dropoffZone })
  }
  const esi = await api.createAccount('Sender of a drum', 'sender')
  await api.createDelivery(esi, { pickupZone: 'Madina', dropoffZone: 'Osu', offer: 120.5 })
  const abena = await api.createDriver('Abena Driver')
  const commute = { from: 'Adenta', to: 'Accra Central', days: [1], leaves: '07:00' }
  const commutes = [{ ...commute, returns: '17:30', notify: false }]
  await api.ask('changeCommutes', { token: abena.token, body: { commutes } })
  const page = await openPhone(browser, api, abena, {
    origin: `${fixture().origin}/drive`,
    clock: new Date('2026-11-28T12:00:00Z'),
  })
  const next = page.getByRole('button', { name: 'Adenta → Accra Central · Mon 07:00' })
  await expect(card(page, jobs.off)).toBeVisible()
  await next.click()
  await expect(card(page, jobs.off)).toBeHidden()
  // What was pressed is now what shows the way.
  await expect(next).toBeFocused()
  await page.setViewportSize({ width: 360, height: 740 })
  const fourth = page.getByRole('article').nth(3)
  await expect(fourth).toBeVisible()
  await screenshot(page, 'way-5-four-jobs')
  const bars = await page.getByRole('navigation', { name: 'Tabs' }).boundingBox()
  const last = await fourth.boundingBox()
  expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(bars?.y ?? 0)

  await next.click()
  await page.getByLabel('Current zone').selectOption('Tema')
  await page.getByLabel('Destination zone').selectOption('Spintex')
  await page.getByRole('button', { name: 'Find Deliveries' }).click()
  await expect(card(page, jobs.off)).toBeVisible()
  await next.click()
  await expect(card(page, jobs.direct)).toBeVisible()
  await page.getByRole('button', { name: 'All jobs' }).click()
  await expect(page.getByRole('button', { name: 'Your way' })).toBeFocused()
  await page.getByRole('button', { name: 'Your way' }).click()
  const commuteChip = page.getByRole('group', { name: 'Your commutes' }).getByRole('button')
  await commuteChip.click()
  await expect(next).toBeFocused()
  await page.context().close()
})
