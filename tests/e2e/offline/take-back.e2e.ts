import { type Browser, expect, type Page, test } from '@playwright/test'
import { axeViolations } from '../helpers/page/axe.ts'
import { navigateTo, openPhone } from '../helpers/page/open-phone.ts'
import {
  codeShown,
  entry,
  fillRequest,
  kofi,
  pill,
  submitRequest,
  toast,
} from '../helpers/page/page-actions.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { installed } from '../helpers/page/worker.ts'
import { type Account, serverApi } from '../helpers/server/server-api.ts'
import { serverFixture } from '../helpers/server/server-fixture.ts'

/* Taking back, stopping and logging out, where an answer was lost: what the person is told of it. */

const fixture = serverFixture()
const api = serverApi(fixture)

let driver: Account
test.beforeAll(async () => {
  driver = await api.createDriver('Yaw Driver')
})

const at = () => ({ origin: fixture().origin })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true })
const asking = 'Cancelling…'

/** Every answer but those to reads and photos is lost, once the server has done what it was asked. */
const loseAnswers = () =>
  fixture().proxy.set({
    kind: 'answer lost',
    losing: (line) => !line.startsWith('GET ') && !line.includes('/images/'),
  })

/** Requests but reads never arrive. */
const loseRequests = (page: Page) =>
  page.route('**/api/**', (route) =>
    route.request().method() === 'GET' ? route.continue() : route.abort(),
  )

/** Requests but reads stay under way until `lose` is called, which loses them; `begun`: one is under way. */
async function holdRequests(page: Page) {
  let [begin, lose] = [() => {}, () => {}]
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const lost = new Promise<void>((resolve) => {
    lose = resolve
  })
  await page.route('**/api/**', async (route) => {
    if (route.request().method() === 'GET') return route.continue()
    begin()
    await lost
    return route.abort()
  })
  return { begun, lose }
}

/** Loads the screens that a test opens while there is no network. */
async function loadScreens(page: Page, ...shown: [path: string, heading: string][]) {
  for (const [path, heading] of shown) {
    await navigateTo(page, path)
    await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible()
  }
}

/** A sender with a delivery that their driver has handed over. */
async function senderOfDelivered(browser: Browser, item: string, isInstalled = false) {
  const sender = await api.createAccount(`Sender of ${item}`, 'sender')
  const made = await api.createDelivery(sender, { itemDescription: item })
  await api.completeDelivery(driver, made)
  const serviceWorkers = isInstalled ? 'allow' : 'block'
  const page = await openPhone(browser, api, sender, { ...at(), serviceWorkers })
  if (isInstalled) await installed(page)
  await loadScreens(page, ['/outbox', 'Outbox'])
  await navigateTo(page, `/delivery/${made.ID}`)
  await expect(button(page, 'Approve Delivery')).toBeVisible()
  return { page, made }
}

async function approve(page: Page) {
  await button(page, 'Approve Delivery').click()
  await inDialog(page, 'Approve and pay').click()
  // It leaves once it can no longer be undone (R99).
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0, { timeout: 20_000 })
}

test('S56: a request whose answer was lost is asked to be taken back, and cancelled on the server', async ({
  browser,
}) => {
  const item = 'Wall mirror'
  const page = await openPhone(browser, api, undefined, at())
  await loadScreens(page, ['/outbox', 'Outbox'])
  await navigateTo(page, '/send')
  await fillRequest(page, { item, seed: 61 }, kofi)
  loseAnswers()
  await submitRequest(page)
  await expect.poll(() => api.deliveriesNamed(item)).toHaveLength(1)
  await expect(button(page, 'Cancel request')).toBeVisible()
  fixture().proxy.set({ kind: 'cut' })
  await button(page, 'Cancel request').click()
  const question = page.getByRole('dialog', { name: 'Cancel this request?' })
  await expect(question).toContainText('may already have arrived')
  await screenshot(page, 'take-back-1-request-question')
  await inDialog(page, 'Cancel request').click()
  await expect(page.locator('#main')).toContainText(asking)
  await screenshot(page, 'take-back-2-request-room')
  await navigateTo(page, '/outbox')
  const request = entry(page, `Request: ${item}`)
  await expect(request).toContainText(asking)
  await expect(button(page, 'Send it anyway')).toBeVisible()
  await screenshot(page, 'take-back-3-request-asking')
  expect(await axeViolations(page)).toEqual([])

  fixture().proxy.set({ kind: 'fine' })
  await expect(entry(page, `Requested: ${item}`)).toContainText('Cancelled', { timeout: 20_000 })
  await screenshot(page, 'take-back-4-request-taken-back')
  expect((await api.deliveryNamed(item)).status).toBe('Cancelled')
  await page.context().close()
})

test('S56: a request that is taken back can be sent after all', async ({ browser }) => {
  const item = 'Brass bell'
  const page = await openPhone(browser, api, undefined, at())
  await navigateTo(page, '/send')
  await fillRequest(page, { item, seed: 62 }, kofi)
  loseAnswers()
  await submitRequest(page)
  // Before it has left it would be forgotten at once.
  await expect.poll(() => api.deliveriesNamed(item)).toHaveLength(1)
  await expect(button(page, 'Cancel request')).toBeVisible()
  fixture().proxy.set({ kind: 'cut' })
  await button(page, 'Cancel request').click()
  await inDialog(page, 'Cancel request').click()
  await button(page, 'Send it anyway').click()
  await expect(button(page, 'Cancel request')).toBeVisible()
  fixture().proxy.set({ kind: 'fine' })
  await codeShown(page)
  expect((await api.deliveryNamed(item)).status).toBe('Pending')
  await page.context().close()
})

test('S56: an approval that had arrived is not said to be taken back, and its delivery is a tap away', async ({
  browser,
}) => {
  const { page, made } = await senderOfDelivered(browser, 'Sewing machine')
  loseAnswers()
  await approve(page)
  await expect(button(page, 'Try to cancel')).toBeVisible()
  await screenshot(page, 'take-back-5-approval-room')
  fixture().proxy.set({ kind: 'cut' })
  await button(page, 'Try to cancel').click()
  await inDialog(page, 'Try to cancel').click()
  await expect(page.locator('#main')).toContainText(asking)
  await screenshot(page, 'take-back-6-approval-room-asking')
  await navigateTo(page, '/outbox')
  await expect(entry(page, 'Approve: Sewing machine')).toContainText(asking)
  await screenshot(page, 'take-back-7-approval-asking')

  fixture().proxy.set({ kind: 'fine' })
  const approved = entry(page, 'Approved: Sewing machine')
  await expect(approved).toContainText('Already received', { timeout: 20_000 })
  await screenshot(page, 'take-back-8-approval-arrived')
  expect(await axeViolations(page)).toEqual([])
  await approved.getByRole('link', { name: 'Approved: Sewing machine' }).click()
  await expect(page).toHaveURL(new RegExp(`/delivery/${made.ID}$`))
  await page.context().close()
})

test('S56: an approval that never arrived is taken back, and nobody is paid', async ({
  browser,
}) => {
  const { page, made } = await senderOfDelivered(browser, 'Door handle')
  await loseRequests(page)
  await approve(page)
  await button(page, 'Try to cancel').click()
  await inDialog(page, 'Try to cancel').click()
  await navigateTo(page, '/outbox')
  const approval = entry(page, 'Approve: Door handle')
  await expect(approval).toContainText('Cancelled', { timeout: 30_000 })
  await expect(approval).toContainText('It had not arrived.')
  await screenshot(page, 'take-back-9-approval-taken-back')
  await page.unroute('**/api/**')
  await navigateTo(page, `/delivery/${made.ID}`)
  await expect(button(page, 'Approve Delivery')).toBeVisible()
  expect((await api.deliveryNamed('Door handle')).status).toBe('Delivered')
  await page.context().close()
})

test('S56: of a report nobody can ask about, the person can only stop trying, and reads so', async ({
  browser,
}) => {
  const sender = await api.createAccount('Efua Reports', 'sender')
  const made = await api.createDelivery(sender, { itemDescription: 'Water tank' })
  const page = await openPhone(browser, api, sender, at())
  await navigateTo(page, `/delivery/${made.ID}`)
  await loseRequests(page)
  await button(page, 'Report an issue').click()
  await page.getByLabel('What happened?').fill('Nobody came.')
  await button(page, 'Send report').click()
  await navigateTo(page, '/outbox')
  const report = entry(page, 'Report an issue: Water tank')
  await report.getByRole('button', { name: 'More' }).click()
  await report.getByRole('button', { name: 'Stop trying' }).click()
  await expect(page.getByRole('dialog', { name: 'Stop trying?' })).toContainText(
    'may already have arrived. It is not sent again.',
  )
  await screenshot(page, 'take-back-10-stop-question')
  // The next try begins while the question is open.
  const held = await holdRequests(page)
  await held.begun
  await expect(report).toContainText('Sending…')
  await inDialog(page, 'Stop trying').click()
  await expect(page.getByRole('dialog')).toContainText('It is being sent right now')
  await expect(inDialog(page, 'Keep it')).toBeDisabled()
  await screenshot(page, 'take-back-10-stop-waits')
  held.lose()
  await expect(report).toContainText('Stopped')
  await expect(report).toContainText('It may already have arrived. It is not sent again.')
  await screenshot(page, 'take-back-11-stopped')
  await expect(pill(page)).toBeHidden()
  await page.context().close()
})

test('S56: a logout lists what never left apart from what may have arrived, and names what Discard leaves', async ({
  browser,
}) => {
  const { page } = await senderOfDelivered(browser, 'Ladder', true)
  loseAnswers()
  await approve(page)
  await expect(button(page, 'Try to cancel')).toBeVisible()
  fixture().proxy.set({ kind: 'cut' })
  await navigateTo(page, '/send')
  await fillRequest(page, { item: 'Bucket', seed: 65 })
  await submitRequest(page)
  await navigateTo(page, '/profile')
  await button(page, 'Logout').click()
  const question = page.getByRole('dialog', { name: '2 saved items not sent yet' })
  await expect(question.getByRole('region', { name: 'Never left this phone' })).toHaveText(
    /Request: Bucket/,
  )
  await expect(question.getByRole('region', { name: 'May have arrived already' })).toHaveText(
    /Approve: Ladder/,
  )
  await screenshot(page, 'logout-1-question')
  expect(await axeViolations(page, { within: 'dialog' })).toEqual([])
  await button(page, 'Discard 2 saved items').click()
  await expect(toast(page, 'not everything was cancelled')).toContainText(
    '“Ladder” may have arrived',
    {
      timeout: 40_000,
    },
  )
  await screenshot(page, 'logout-2-not-taken-back')
  await expect(page.getByRole('link', { name: 'Login' })).toBeVisible()
  await page.context().close()
})

test('S56: a logout that discards a request whose answer was lost cancels it first, or names it', async ({
  browser,
}) => {
  const item = 'Coal pot'
  const sender = await api.createAccount('Akua Leaves', 'sender')
  const page = await openPhone(browser, api, sender, at())
  await navigateTo(page, '/send')
  await fillRequest(page, { item, seed: 63 })
  loseAnswers()
  await submitRequest(page)
  await expect.poll(() => api.deliveriesNamed(item)).toHaveLength(1)
  await navigateTo(page, '/profile')
  await button(page, 'Logout').click()
  await expect(page.getByRole('region', { name: 'May have arrived already' })).toHaveText(
    /Request: Coal pot/,
  )
  fixture().proxy.set({ kind: 'fine' })
  await button(page, 'Discard 1 saved item').click()
  const said = toast(page, 'Logged out')
  await expect(said).toBeVisible()
  // Sent after all in the moment before, it is named: either way nothing stays there without a word.
  if ((await api.deliveryNamed(item)).status !== 'Cancelled') await expect(said).toContainText(item)
  else await expect(said).toContainText('See you soon')
  await page.context().close()
})

/** The server as it is after a backup was put back that lacks this delivery. */
const forgetDelivery = (id: string) =>
  api.inDatabase(async (client) => {
    // Without the checks of what refers to it.
    await client.query('set session_replication_role = replica')
    for (const table of ['guest_tokens', 'transfers'])
      await client.query(`delete from ${table} where delivery_id = $1`, [id])
    await client.query('delete from deliveries where id = $1', [id])
  })

test('S54: what a restored server has lost is sent again with one tap, as a new request', async ({
  browser,
}) => {
  const item = 'Yam crate'
  const page = await openPhone(browser, api, undefined, at())
  await navigateTo(page, '/send')
  await fillRequest(page, { item, seed: 64 }, kofi)
  const id = await submitRequest(page)
  await codeShown(page)
  await forgetDelivery(id)
  const main = page.locator('#main')
  await expect(main).toContainText('lost on our side', { timeout: 40_000 })
  await screenshot(page, 'lost-1-room')
  expect(await axeViolations(page)).toEqual([])
  await navigateTo(page, '/outbox')
  const request = entry(page, `Request: ${item}`)
  await expect(request).toContainText('lost on our side')
  await screenshot(page, 'lost-2-outbox')
  expect(await axeViolations(page)).toEqual([])
  await request.getByRole('button', { name: 'Discard' }).click()
  await screenshot(page, 'lost-3-discard')
  await inDialog(page, 'Not now').click()
  await request.getByRole('button', { name: 'Send again' }).click()
  await expect(entry(page, `Requested: ${item}`)).toContainText('Sent')
  const made = await api.deliveryNamed(item)
  expect(made.ID).not.toBe(id)
  expect(made).toMatchObject({ pickupZone: 'Osu', dropoffZone: 'Tema', offer: 60 })
  await navigateTo(page, `/delivery/${id}`)
  expect(await codeShown(page)).toBe(made.deliveryCode)
  await page.context().close()
})
