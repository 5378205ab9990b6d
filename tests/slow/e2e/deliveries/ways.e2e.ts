import { expect } from '@playwright/test'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import {
  acceptJob,
  card,
  nextStep,
  offline,
  online,
} from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { type Account, serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

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
