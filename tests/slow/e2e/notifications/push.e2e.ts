import { type Browser, expect, type Page } from '@playwright/test'
import { axeViolations } from '../../../e2e/helpers/page/axe.ts'
import { navigateTo } from '../../../e2e/helpers/page/open-phone.ts'
import { offline, online } from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { type Account, serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { answered, openPushPhone } from '../../../e2e/notifications/push-phone.ts'
import { type PushService, startPushService } from '../../../helpers/server/push-service.ts'

/*
 * Told with the app closed: the built server pushes to a service on loopback, which opens each message; what it
 * opened is delivered to the real worker through the browser's debugging protocol. Only the browser's own
 * subscription is stood in for: Chromium without a screen has no push service to subscribe at.
 */

let service: PushService
test.beforeAll(async () => {
  service ??= await startPushService()
})
test.afterAll(() => service.close())
const fixture = serverFixture({
  env: async () => {
    service ??= await startPushService()
    return { PUSH_SERVICES: service.origin }
  },
})
const api = serverApi(fixture)

/** A phone whose browser subscribes at the service on loopback. */
const phoneOf = (browser: Browser, name: string, person?: Account) =>
  openPushPhone(browser, { api, service, origin: fixture().origin }, name, person)

const subscribed = (page: Page) => answered(page, 'POST', 201)

/** The newest message that reached this browser's address. `wait`: what is done until it has. */
async function arrived(name: string, count: number, wait = async () => {}): Promise<string> {
  const all = () => service.received.filter(({ path }) => path === `/${name}`)
  await expect
    .poll(async () => {
      await wait()
      return all().length
    })
    .toBe(count)
  return all().at(-1)?.payload ?? ''
}

test('R117, R121: Settings in Account: each kind on or off, also offline, and this phone as a whole', async ({
  browser,
}) => {
  const ama = await api.createAccount('Ama Sender', 'sender')
  const page = await phoneOf(browser, 'ama', ama)
  await navigateTo(page, '/profile')
  const section = page.getByRole('region', { name: 'Notifications', exact: true })
  const toggle = (name: string) => section.getByRole('switch', { name })
  // As a thumb does: anywhere on the line.
  const flip = (name: string) => section.locator('label').filter({ hasText: name }).click()
  await expect(toggle('On this device')).not.toBeChecked()
  await screenshot(page, 'notify-2-off')
  const taken = subscribed(page)
  await flip('On this device')
  await taken
  await expect(toggle('A driver accepts')).toBeChecked()
  await expect(section.getByText('Also when the app is closed')).toBeVisible()
  await screenshot(page, 'notify-3-on')
  expect(await axeViolations(page)).toEqual([])

  await offline(page)
  await flip('A driver accepts')
  await expect(toggle('A driver accepts')).not.toBeChecked()
  await expect(section.getByRole('status').filter({ hasText: 'Not sent yet' })).toBeVisible()
  await screenshot(page, 'notify-4-offline')
  await online(page)
  await expect
    .poll(async () => (await api.ask('me', { token: ama.token })).user.notifications?.off)
    .toEqual(['accepted'])
  await expect(section.getByText('Not sent yet')).toHaveCount(0)
  await expect(toggle('A driver accepts')).not.toBeChecked()

  // What is off is not pushed; what is on is.
  const made = await api.createDelivery(ama, { itemDescription: 'Kente cloth' })
  const driver = await api.createDriver('Yaw Boateng')
  await api.acceptDelivery(driver, made.ID)
  await api.ask('changeStatus', { token: driver.token, id: made.ID, body: { status: 'Picked Up' } })
  expect(JSON.parse(await arrived('ama', 1)).notification.title).toBe('Yaw picked up Kente cloth')

  const ended = answered(page, 'DELETE', 200)
  await flip('On this device')
  await expect(toggle('A driver accepts')).toHaveCount(0)
  await ended
  await api.ask('completeDelivery', {
    token: driver.token,
    id: made.ID,
    body: { code: made.deliveryCode ?? '' },
  })
  // What waits for this person is counted on the app's icon.
  await expect.poll(() => page.evaluate(() => localStorage.getItem('test-badge'))).toBe('1')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('test-subscribed'))).toBeNull()
  await arrived('ama', 1)
})

test('R120: An empty list of jobs offers to tell of its route in one tap, also offline, and takes it back', async ({
  browser,
}) => {
  const kojo = await api.createDriver('Kojo Boateng')
  const page = await phoneOf(browser, 'kojo', kojo)
  await navigateTo(page, '/drive?from=Tesano&to=Achimota')
  const tell = page.getByRole('button', { name: 'Tell me when a job comes up' })
  await expect(tell).toBeVisible()
  // What it says stands on the screen too, which it moves while it comes and leaves.
  await expect(page.locator('[data-toast]')).toHaveText(/^No deliveries found/)
  await page.clock.fastForward(5_000)
  await expect(page.locator('[data-toast]')).toHaveCount(0)
  await screenshot(page, 'notify-6-tell-me')
  await offline(page)
  await tell.click()
  const told = page.getByRole('status').filter({ hasText: 'tell you when a job comes up' })
  await expect(told).toContainText('Not sent yet')
  await expect(tell).toHaveCount(0)
  const taken = subscribed(page)
  await online(page)
  await taken
  const routes = async () =>
    (await api.ask('me', { token: kojo.token })).user.notifications?.routes ?? []
  await expect.poll(routes).toEqual([{ from: 'Tesano', to: 'Achimota' }])
  await expect(told).toContainText('At most 5 notifications a day')
  await screenshot(page, 'notify-7-told')
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Don’t tell me' }).click()
  await expect(tell).toBeVisible()
  await expect.poll(routes).toEqual([])
})
