import { expect, type Page } from '@playwright/test'
import { axeViolations } from '../../../e2e/helpers/page/axe.ts'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import {
  asTimePasses,
  codeShown,
  entry,
  fillRequest,
  kofi,
  pill,
  sayPaid,
  submitRequest,
  toast,
} from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

/* Taking back, stopping and logging out, where an answer was lost: what the person is told of it. */

const fixture = serverFixture()
const api = serverApi(fixture)

/** The outbox, whose code is then there without a network. */
const at = () => ({ origin: `${fixture().origin}/outbox`, clock: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true })
/** Every answer but those to reads and photos is lost, once the server has done what it was asked. */
const loseAnswers = () =>
  fixture().proxy.set({
    kind: 'answer lost',
    losing: (line) => !line.startsWith('GET ') && !line.includes('/images/'),
  })

/** A backend that withdraws nothing. */
const withdrawNothing = (page: Page) =>
  page.route('**/api/requests/**', (route) =>
    route.fulfill({ status: 404, json: { error: 'Not found', reason: 'not-found' } }),
  )
const asking = 'Cancelling…'

test('S73: where the backend withdraws nothing, a report may have arrived, and the person stops trying', async ({
  browser,
}) => {
  const sender = await api.createAccount('Efua Reports', 'sender')
  const made = await api.createDelivery(sender, { itemDescription: 'Water tank' })
  const page = await openPhone(browser, api, sender, at())
  await navigateTo(page, `/delivery/${made.ID}`)
  loseAnswers()
  await button(page, 'Report an issue').click()
  await page.getByLabel('What happened?').fill('Nobody came.')
  await button(page, 'Send report').click()
  await navigateTo(page, '/outbox')
  const report = entry(page, 'Report an issue: Water tank')
  await report.getByRole('button', { name: 'More' }).click()
  await report.getByRole('button', { name: 'Try to take back the report' }).click()
  await expect(page.getByRole('dialog', { name: 'Try to take back the report?' })).toContainText(
    'may have arrived',
  )
  await withdrawNothing(page)
  await inDialog(page, 'Try to take back the report').click()
  await asTimePasses(page, () => report.textContent()).toContain('It may have arrived')
  fixture().proxy.set({ kind: 'fine' })
  await screenshot(page, 'take-back-10-may-have-arrived')
  expect(await axeViolations(page)).toEqual([])
  await report.getByRole('button', { name: 'Stop trying' }).click()
  await inDialog(page, 'Stop trying').click()
  await expect(report).toContainText('Stopped')
  await expect(report).toContainText('It may have arrived. It is not sent again.')
  await screenshot(page, 'take-back-11-stopped')
  await expect(pill(page)).toBeHidden()
  await page.context().close()
})

test('S74: a delivery opened on another phone says so, and offers to get it back', async ({
  browser,
}) => {
  const item = 'Clay pots'
  const page = await openPhone(browser, api, undefined, at())
  await navigateTo(page, '/send')
  await fillRequest(page, { item, seed: 66 }, kofi)
  const id = await submitRequest(page)
  await codeShown(page)
  await api.inDatabase((client) =>
    client.query('delete from guest_tokens where delivery_id = $1', [id]),
  )
  const main = page.locator('#main')
  await asTimePasses(page, () => main.textContent(), 10_000).toContain('Opened on another phone')
  await screenshot(page, 'moved-1-room')
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('link', { name: 'Get it back by SMS' }).click()
  await expect(page.getByLabel('Your phone number')).not.toHaveValue('')
  await page.context().close()
})

test('S56: a logout lists what never left apart from what may have arrived, and names what Discard leaves', async ({
  browser,
}) => {
  const sender = await api.createAccount('Sender of Ladder', 'sender')
  const made = await api.createDelivery(sender, { itemDescription: 'Ladder' })
  await api.completeDelivery(await api.createDriver('Yaw Driver'), made)
  const page = await openPhone(browser, api, sender, { ...at(), serviceWorkers: 'allow' })
  await navigateTo(page, `/delivery/${made.ID}`)
  loseAnswers()
  await button(page, 'Confirm and pay').click()
  await sayPaid(page, 'cash')
  await expect(button(page, 'Try to take back the approval')).toBeVisible()
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
    /Confirm and pay: Ladder/,
  )
  await screenshot(page, 'logout-1-question')
  expect(await axeViolations(page, { within: 'dialog' })).toEqual([])
  await button(page, 'Discard 2 saved items').click()
  const said = toast(page, 'not everything was cancelled')
  await asTimePasses(page, () => said.count(), 4_000).toBe(1)
  await expect(said).toContainText('“Ladder” may have arrived')
  await screenshot(page, 'logout-2-not-taken-back')
  await expect(page.getByRole('link', { name: 'Login' })).toBeVisible()
  await page.context().close()
})

/** The server as it is after a backup was put back that lacks this delivery. */
const forgetDelivery = (id: string) =>
  api.inDatabase(async (client) => {
    // Without the checks of what refers to it.
    await client.query('set session_replication_role = replica')
    for (const table of ['guest_tokens', 'transfers'])
      await client.query(`delete from ${table} where delivery_id = $1`, [id])
    await client.query('delete from requests')
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
  await asTimePasses(page, () => main.textContent(), 10_000).toContain('lost on our side')
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
  await expect(page.getByRole('region', { name: 'Delivery code' })).toContainText(
    'Share the link and code again',
  )
  await screenshot(page, 'lost-4-share-again')
  await page.context().close()
})

test('S56: a request whose answer was lost is asked to be taken back, and cancelled on the server', async ({
  browser,
}) => {
  const item = 'Wall mirror'
  const page = await openPhone(browser, api, undefined, at())
  await navigateTo(page, '/send')
  await fillRequest(page, { item, seed: 61 }, kofi)
  loseAnswers()
  await submitRequest(page)
  await expect.poll(() => api.deliveriesNamed(item)).toHaveLength(1)
  await expect(button(page, 'Cancel this request')).toBeVisible()
  fixture().proxy.set({ kind: 'cut' })
  await button(page, 'Cancel this request').click()
  const question = page.getByRole('dialog', { name: 'Cancel this request?' })
  await expect(question).toContainText('may already have arrived')
  await screenshot(page, 'take-back-1-request-question')
  await inDialog(page, 'Cancel this request').click()
  await expect(page.locator('#main')).toContainText(asking)
  await screenshot(page, 'take-back-2-request-room')
  await navigateTo(page, '/outbox')
  const request = entry(page, `Request: ${item}`)
  await expect(request).toContainText(asking)
  await screenshot(page, 'take-back-3-request-asking')
  expect(await axeViolations(page)).toEqual([])

  fixture().proxy.set({ kind: 'fine' })
  await asTimePasses(page, () => entry(page, `Requested: ${item}`).textContent()).toContain(
    'Cancelled',
  )
  await screenshot(page, 'take-back-4-request-taken-back')
  expect((await api.deliveryNamed(item)).status).toBe('Cancelled')
  await page.context().close()
})
