import { type Browser, type BrowserContext, expect, type Page, type Worker } from '@playwright/test'
import { type PushService, startPushService } from '../../helpers/server/push-service.ts'
import { axeViolations } from '../helpers/page/axe.ts'
import { navigateTo } from '../helpers/page/open-phone.ts'
import { fillRequest, submitRequest } from '../helpers/page/page-actions.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { type Account, serverApi } from '../helpers/server/server-api.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'
import { answered, openPushPhone } from './push-phone.ts'

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

const workerOf = async (context: BrowserContext): Promise<Worker> =>
  context.serviceWorkers()[0] ?? context.waitForEvent('serviceworker')

/**
 * Hands a message to the worker as the browser's push service would. Resolves once its notification is shown: Chromium
 * without a screen may drop one for which it is asked while it is being shown.
 */
async function deliver(page: Page, payload: string) {
  const worker = await workerOf(page.context())
  await worker.evaluate(noteShown)
  const session = await page.context().newCDPSession(page)
  const found = new Promise<string>((resolve) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const ours = registrations.find(({ scopeURL }) => scopeURL === `${fixture().origin}/`)
      if (ours) resolve(ours.registrationId)
    }),
  )
  await session.send('ServiceWorker.enable')
  const registrationId = await found
  const { origin } = fixture()
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: payload })
  await worker.evaluate(() => (self as unknown as { isShown: Promise<void> }).isShown)
}

/** Runs in the worker: `isShown` resolves when the next notification is shown. */
function noteShown() {
  const { registration } = self as unknown as ServiceWorkerGlobalScope
  const show = ServiceWorkerRegistration.prototype.showNotification
  const isShown = new Promise<void>((resolve) => {
    registration.showNotification = (...about) => show.apply(registration, about).then(resolve)
  })
  Object.assign(self, { isShown })
}

type Shown = { title: string; body: string; tag: string; data: { navigate: string } }
const shown = async (page: Page): Promise<Shown[]> =>
  (await workerOf(page.context())).evaluate(async () => {
    const { registration } = self as unknown as ServiceWorkerGlobalScope
    return (await registration.getNotifications()).map(({ title, body, tag, data }) => ({
      title,
      body,
      tag,
      data,
    }))
  })

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

const ask = (page: Page) => page.getByRole('region', { name: 'Know where your item is' })

test('R115, R116, R119: A guest turns notifications on after the first request, and is told by the worker with the app closed', async ({
  browser,
}) => {
  const page = await phoneOf(browser, 'guest')
  await navigateTo(page, '/send')
  await fillRequest(page, { item: 'Laptop', from: 'Osu', to: 'Tema', offer: '60' }, kofi)
  await submitRequest(page)
  await expect(ask(page)).toBeVisible()
  await expect(page.getByText('Your code appears once the request is sent')).toHaveCount(0)
  await screenshot(page, 'notify-1-ask')
  expect(await axeViolations(page)).toEqual([])
  const taken = subscribed(page)
  await ask(page).getByRole('button', { name: 'Turn on' }).click()
  await expect(ask(page)).toHaveCount(0)
  await taken

  const { ID } = await api.deliveryNamed('Laptop')
  const driver = await api.createDriver('Yaw Boateng')
  const accepted = page.url()
  await page.goto('about:blank')
  await api.acceptDelivery(driver, ID)
  const payload = await arrived('guest', 1)
  expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(400)
  // A page of the origin without the app in it.
  await page.goto(`${fixture().origin}/robots.txt`)
  const pulled = page.context().waitForEvent('response', {
    predicate: (response) => response.url().endsWith(`/api/deliveries/${ID}`),
  })
  await deliver(page, payload)
  await expect.poll(() => shown(page)).toHaveLength(1)
  // The worker has brought the row: a tap without a network shows it (S82).
  await (await pulled).finished()
  await page.context().setOffline(true)
  await page.goto(accepted)
  await expect(page.getByText('Yaw is coming to Osu')).toBeVisible()
  await page.context().setOffline(false)
  await page.goto(`${fixture().origin}/auth`)
  expect((await shown(page))[0]).toMatchObject({
    title: 'Yaw accepted your request',
    data: { navigate: accepted },
  })

  // The next step replaces it, and its receipt keeps the SMS back.
  await api.ask('changeStatus', { token: driver.token, id: ID, body: { status: 'Picked Up' } })
  const next = await arrived('guest', 2)
  const receipt = page.context().waitForEvent('request', {
    predicate: (request) => request.url().endsWith('/api/notifications/receipts'),
  })
  await deliver(page, next)
  const answer = await (await receipt).response()
  expect(answer?.status()).toBe(200)
  await expect
    .poll(async () => (await shown(page)).map(({ title }) => title))
    .toEqual(['Yaw picked up Laptop'])
  expect(service.problems).toEqual([])

  // A tap: the page that is open goes there.
  const worker = await workerOf(page.context())
  await worker.evaluate(async () => {
    const scope = self as unknown as ServiceWorkerGlobalScope
    const [notification] = await scope.registration.getNotifications()
    if (!notification) throw new Error('nothing is shown')
    scope.dispatchEvent(new NotificationEvent('notificationclick', { notification }))
  })
  await expect(page).toHaveURL(accepted)
  await expect.poll(() => shown(page)).toEqual([])
})

const kofi = { name: 'Kofi Mensah', phone: '0244000016' }
