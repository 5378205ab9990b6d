import { type Browser, expect, type Page } from '@playwright/test'
import { expectFull } from '../helpers/page/expect-toasts.ts'
import { navigateTo, openPhone } from '../helpers/page/open-phone.ts'
import {
  chooseTile,
  entry,
  fillRequest,
  kofi,
  logIn,
  offline,
  online,
  openStep,
  pill,
  submitRequest,
} from '../helpers/page/page-actions.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { photo } from '../helpers/photo.ts'
import { count } from '../helpers/server/network.ts'
import { type Account, serverApi } from '../helpers/server/server-api.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'

/* The engine on a phone: events, uploads, sign-in during a queue, and storage. */

const fixture = serverFixture()
const api = serverApi(fixture)

const openForm = (browser: Browser, person?: Account, prepare?: (page: Page) => Promise<unknown>) =>
  openPhone(browser, api, person, {
    origin: `${fixture().origin}/send`,
    clock: true,
    serviceWorkers: 'allow',
    prepare,
  })

test('S21: the sender sees a driver’s action at once, without polling', async ({ browser }) => {
  const akua = await api.createAccount('Akua Addo', 'sender')
  const yaw = await api.createDriver('Yaw Driver')
  const { ID: id } = await api.createDelivery(akua, { itemDescription: 'Drum' })
  const page = await openPhone(browser, api, akua, { origin: fixture().origin, clock: true })
  await navigateTo(page, `/delivery/${id}`)
  const room = page.locator('#main')
  await expect(room.getByText('Pending', { exact: true }).first()).toBeVisible()
  await expect.poll(() => count(fixture().proxy.requests, 'GET /api/events')).toBe(1)
  await api.acceptDelivery(yaw, id)
  await expect(room.getByText('Yaw', { exact: true }).first()).toBeVisible()
  const asked = () => count(fixture().proxy.requests, 'GET /api/deliveries/')
  const before = asked()
  // Four times the poll interval of a delivery without an event stream (R80).
  for (let times = 0; times < 4; times++) {
    await page.clock.fastForward(10_000)
    await page.evaluate(() => fetch('/api/config'))
  }
  await api.ask('changeStatus', { id, token: yaw.token, body: { status: 'Picked Up' } })
  await expect(room.getByText('Picked Up', { exact: true }).first()).toBeVisible()
  // One for each action: that about the first may be under way when the driver's name is there.
  expect(asked()).toBeLessThanOrEqual(before + 2)
  await page.context().close()
})

test('S14: when the session ends during a queue, the phone asks to log in, shows how much waits, and then sends it', async ({
  browser,
}) => {
  const esi = await api.createAccount('Esi Quaye', 'sender')
  const item = 'Wall clock'
  const page = await openForm(browser, esi)
  await offline(page)
  await fillRequest(page, { item, seed: 41 })
  await submitRequest(page)
  await api.ask('logout', { token: esi.token })
  await online(page)
  await navigateTo(page, '/outbox')
  // The upload needs no token; the request does.
  await expect(page.getByText('Sign in to send 1 saved item')).toBeVisible()
  await expect(pill(page)).toHaveText('Sign in · 1 waiting')
  await expect(entry(page, `Request: ${item}`)).toContainText('Sends when you log in.')
  await screenshot(page, 'engine-1-sign-in-to-send')
  await logIn(page, esi)
  await navigateTo(page, '/outbox')
  await expect(entry(page, `Requested: ${item}`)).toContainText('Sent')
  expect(await api.deliveriesNamed(item)).toHaveLength(1)
  await page.context().close()
})

test('S27: an upload shows its progress, and starts again after an interruption', async ({
  browser,
}) => {
  const item = 'Painting'
  const page = await openForm(browser)
  await fillRequest(page, { item }, kofi)
  await openStep(page, 1)
  await page.getByLabel('Item photo: Choose photo').setInputFiles(photo(42, 1_200))
  await expect(page.getByRole('img', { name: 'Your item' })).toBeVisible()
  fixture().proxy.set({ kind: 'slow', bytesPerSecond: 8_000 })
  await submitRequest(page)
  await pill(page).click()
  const upload = entry(page, `Request: ${item}`)
  await expect(upload).toContainText(/Sending… \d+ %/)
  await expect(upload.getByRole('progressbar', { name: 'Photo sent' })).toBeVisible()
  await screenshot(page, 'engine-2-photo-going-up')
  fixture().proxy.set({ kind: 'cut' })
  await expect(upload).toContainText('Not sent yet')
  fixture().proxy.set({ kind: 'fine' })
  await page.getByRole('button', { name: 'Retry' }).first().click()
  await expect(entry(page, `Requested: ${item}`)).toContainText('Sent')
  expect(await api.deliveriesNamed(item)).toHaveLength(1)
  await page.context().close()
})

test('S26: a phone with a full disk says so and what to do, loses nothing unsent, and goes on when there is space', async ({
  browser,
}) => {
  const page = await openForm(browser, undefined, (page) => page.addInitScript(failWhenFull))
  await offline(page)
  await fillRequest(page, { item: 'Blanket', seed: 44 }, kofi)
  await submitRequest(page)
  await navigateTo(page, '/send')
  await chooseTile(page, 'Other')
  await page.evaluate(() => sessionStorage.setItem('full', 'yes'))
  await expectFull(page, () => page.getByLabel('Describe the item').fill('A draft without room'))
  await expectFull(page, () => page.getByLabel('Item photo: Choose photo').setInputFiles(photo(45)))
  await expect(page.getByText('Upload Failed')).toHaveCount(0)
  await expect(pill(page)).toHaveText('Phone full')
  await pill(page).click()
  await expect(page.getByText('What you saved is safe')).toBeVisible()
  await screenshot(page, 'engine-4-full')
  await page.evaluate(() => sessionStorage.removeItem('full'))
  await online(page)
  await expect(entry(page, 'Requested: Blanket')).toContainText('Sent')
  expect(await api.deliveriesNamed('Blanket')).toHaveLength(1)
  await page.context().close()
})

/** In the page: while it is told so, writing a photo or a draft throws the quota error. */
function failWhenFull() {
  for (const write of ['add', 'put'] as const) {
    const original = IDBObjectStore.prototype[write]
    IDBObjectStore.prototype[write] = function (...args) {
      if (['photos', 'drafts'].includes(this.name) && sessionStorage.getItem('full'))
        throw new DOMException('No room', 'QuotaExceededError')
      return original.apply(this, args)
    }
  }
}
