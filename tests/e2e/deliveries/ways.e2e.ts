import { expect } from '@playwright/test'
import { navigateTo, openPhone } from '../helpers/page/open-phone.ts'
import { acceptJob, card, nextStep, offline, online } from '../helpers/page/page-actions.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { type Account, serverApi } from '../helpers/server/server-api.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'

/* Jobs on a driver's way (R164). */

const fixture = serverFixture()
const api = serverApi(fixture)
const jobs = { near: 'Box of mangoes', direct: 'Sewing machine', off: 'Bag of cement' }
/** A Monday, half past six in Ghana. */
const morning = new Date('2026-11-30T06:30:00Z')

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

test('R164, R166: Drive opens on the commute of the hour with the jobs on its way, offline too, and one is accepted', async ({
  browser,
}) => {
  const page = await openPhone(browser, api, yaw, {
    origin: `${fixture().origin}/drive`,
    clock: morning,
  })
  const way = page.getByRole('button', { name: 'Adenta → Accra Central · until 08:30' })
  await expect(way).toBeVisible()
  await expect(card(page, jobs.near)).toContainText('+2.5 km')
  const isCut = (name: Element) => name.scrollHeight > name.clientHeight + 1
  expect(await card(page, jobs.near).getByText(jobs.near).evaluate(isCut)).toBe(false)
  await expect(card(page, jobs.near)).toContainText('On your way')
  await expect(card(page, jobs.direct)).toContainText('+0 km')
  await expect(card(page, jobs.off)).toBeHidden()
  await expect(page.getByRole('article').first()).toHaveAccessibleName(jobs.near)
  await screenshot(page, 'way-1-jobs')
  await page.getByRole('button', { name: 'Map' }).click()
  const map = page.getByRole('img', { name: /^Map\. Way from Adenta to Accra Central/ })
  await expect(map).toHaveAccessibleName(/Job 1: Madina to Osu\. Job 2: Adenta to Accra Central/)
  await screenshot(page, 'way-2-map')
  await page.getByRole('button', { name: `Open ${jobs.near}, Madina to Osu` }).click()
  await expect(page.getByRole('dialog')).toContainText(
    '+2.5 km on your way from Adenta to Accra Central',
  )
  await screenshot(page, 'way-3-sheet')
  await page.keyboard.press('Escape')

  await offline(page)
  await page.getByRole('button', { name: 'Best pay for the detour' }).click()
  await expect(page.getByRole('button', { name: 'Newest' })).toBeVisible()
  const swap = page.getByRole('button', { name: 'Swap the route' })
  await swap.click()
  await expect(page.getByRole('button', { name: 'Accra Central → Adenta' })).toBeVisible()
  await expect(card(page, jobs.near)).toBeHidden()
  await expect(way).toBeHidden()
  await expect(swap).toBeFocused()
  await swap.click()
  await expect(way).toBeVisible()
  await expect(card(page, jobs.direct)).toBeVisible()
  await acceptJob(page, jobs.near)
  await expect(nextStep(page)).toContainText('Requesting this job…')
  await expect(page.locator('#main')).toContainText('On your way · +2.5 km')
  await navigateTo(page, '/drive')
  await expect(card(page, jobs.direct)).toBeVisible()
  await expect(page.getByText('1 job', { exact: true })).toBeVisible()
  await online(page)
  await expect.poll(async () => (await api.deliveryNamed(jobs.near)).status).toBe('Accepted')
  await page.context().close()
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

test('R164: where nothing is on the way, the nearest jobs are offered with their detours', async ({
  browser,
}) => {
  const kojo = await api.createDriver('Kojo Driver')
  const page = await openPhone(browser, api, kojo, {
    origin: `${fixture().origin}/drive?from=Dansoman&to=Kaneshie`,
    clock: morning,
  })
  await expect(page.getByRole('heading', { name: 'No deliveries found' })).toBeVisible()
  const elsewhere = page.getByRole('region', { name: 'Jobs elsewhere' })
  await expect(elsewhere).toContainText(/\d jobs? elsewhere. The nearest to your way:/)
  await expect(elsewhere.getByRole('article').first()).toContainText(/\+\d+(\.\d)? km/)
  await screenshot(page, 'way-4-elsewhere')
  // One that another driver takes keeps its place.
  const nearest = elsewhere.getByRole('article').first()
  const item = (await nearest.getAttribute('aria-label')) ?? ''
  await api.acceptDelivery(await api.createDriver('Ato Driver'), (await api.deliveryNamed(item)).ID)
  await expect(nearest).toContainText('Not available')
  await expect(nearest).toHaveAccessibleName(item)
  await page.getByRole('button', { name: 'All jobs' }).click()
  await expect(card(page, jobs.off)).toBeVisible()
  await expect(card(page, jobs.off)).not.toContainText('On your way')
  await page.context().close()
})

test('R166, S85: A commute that is saved offline is sent, and its jobs come with the next pull', async ({
  browser,
}) => {
  const esi = await api.createDriver('Esi Driver')
  const origin = fixture().origin
  const page = await openPhone(browser, api, esi, { origin: `${origin}/drive`, clock: morning })
  await expect(card(page, jobs.off)).toBeVisible()
  await navigateTo(page, '/profile')
  const commutes = page.getByRole('region', { name: 'Your commutes' })
  await commutes.getByRole('button', { name: 'Add a commute' }).click()
  await offline(page)
  await commutes.getByLabel('From').selectOption('Adenta')
  await commutes.getByLabel('To').selectOption('Accra Central')
  await commutes.getByRole('button', { name: 'Save' }).click()
  await expect(commutes.getByText('Adenta to Accra Central')).toBeVisible()
  await navigateTo(page, '/drive')
  const way = page.getByRole('button', { name: 'Adenta → Accra Central' })
  await expect(way).toBeVisible()
  await expect(card(page, jobs.off)).toBeHidden()
  await online(page)
  await expect(card(page, jobs.direct)).toContainText('On your way')
  await expect
    .poll(async () => (await api.ask('me', { token: esi.token })).user.commutes?.[0])
    .toMatchObject({ from: 'Adenta', to: 'Accra Central' })
  await page.context().close()
})
