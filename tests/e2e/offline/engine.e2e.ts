import { readFileSync } from 'node:fs'
import { expect, type Page, test } from '@playwright/test'
import {
  describeItem,
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
import { installed } from '../helpers/page/worker.ts'
import { photo } from '../helpers/photo.ts'
import { count } from '../helpers/server/network.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture } from '../helpers/server/server-fixture.ts'

/* The engine on a phone: events, uploads, sign-in during a queue, and storage. */

const fixture = serverFixture()
const api = serverApi(fixture)

test('S21: the sender sees a driver’s action at once, without polling', async ({ page }) => {
  const akua = await api.createAccount('Akua Addo', 'sender')
  const yaw = await api.createDriver('Yaw Driver')
  const { ID: id } = await api.createDelivery(akua, { itemDescription: 'Drum' })
  await page.goto(fixture().origin)
  await logIn(page, akua)
  const opened = () => count(fixture().proxy.requests, 'GET /api/events')
  await expect.poll(opened).toBe(1)
  await page.goto(`${fixture().origin}/delivery/${id}`)
  await expect.poll(opened).toBe(2)
  const room = page.locator('#main')
  await expect(room.getByText('Pending', { exact: true }).first()).toBeVisible()
  await page.waitForTimeout(2_000)
  const before = count(fixture().proxy.requests, 'GET /api/deliveries/')
  // Longer than the poll interval of a delivery without an event stream (R80).
  await page.waitForTimeout(11_000)
  expect(count(fixture().proxy.requests, 'GET /api/deliveries/')).toBe(before)
  await api.ask('acceptDelivery', { id, token: yaw.token })
  await expect(room.getByText('Yaw Driver').first()).toBeVisible({ timeout: 4_000 })
  expect(count(fixture().proxy.requests, 'GET /api/deliveries/')).toBe(before + 1)
})

test('S14: when the session ends during a queue, the phone asks to log in, shows how much waits, and then sends it', async ({
  page,
}) => {
  const esi = await api.createAccount('Esi Quaye', 'sender')
  const item = 'Wall clock'
  await page.goto(fixture().origin)
  await installed(page)
  await logIn(page, esi)
  await offline(page)
  await fillRequest(page, { item, seed: 41 })
  await submitRequest(page)
  const token = await page.evaluate(() => localStorage.getItem('token'))
  await api.ask('logout', { token: token ?? '' })
  await online(page)
  await page.goto(`${fixture().origin}/outbox`)
  // The upload needs no token; the request does.
  await expect(page.getByText('Sign in to send 1 saved item')).toBeVisible()
  await expect(pill(page)).toHaveText('Sign in · 1 waiting')
  await expect(entry(page, `Request: ${item}`)).toContainText('Sends when you log in.')
  await screenshot(page, 'engine-1-sign-in-to-send')
  await logIn(page, esi)
  await page.goto(`${fixture().origin}/outbox`)
  await expect(entry(page, `Requested: ${item}`)).toContainText('Sent')
  expect(await api.deliveriesNamed(item)).toHaveLength(1)
})

test('S27: an upload shows its progress, and starts again after an interruption', async ({
  page,
}) => {
  const item = 'Painting'
  await openForm(page)
  await fillRequest(page, { item }, kofi)
  await openStep(page, 1)
  await page.getByLabel('Item photo: Choose photo').setInputFiles(photo(42, 1_200))
  await expect(page.getByRole('img', { name: 'Your item' })).toBeVisible()
  fixture().proxy.set({ kind: 'slow', bytesPerSecond: 8_000 })
  await submitRequest(page)
  await pill(page).click()
  const upload = entry(page, `Request: ${item}`)
  await expect(upload).toContainText(/Sending… \d+ %/, { timeout: 20_000 })
  await expect(upload.getByRole('progressbar', { name: 'Photo sent' })).toBeVisible()
  await screenshot(page, 'engine-2-photo-going-up')
  fixture().proxy.set({ kind: 'cut' })
  await expect(upload).toContainText('Not sent yet')
  fixture().proxy.set({ kind: 'fine' })
  await page.getByRole('button', { name: 'Retry' }).first().click()
  await expect(entry(page, `Requested: ${item}`)).toContainText('Sent')
  expect(await api.deliveriesNamed(item)).toHaveLength(1)
})

test('S28, S30: the outbox shows a draft, and everything unsent is saved as a file, offline too', async ({
  page,
}) => {
  await openForm(page)
  await offline(page)
  await fillRequest(page, { item: 'Sandals', seed: 43 }, kofi)
  await submitRequest(page)
  await page.goto(`${fixture().origin}/send?as=guest&step=3`)
  await page.getByLabel('Recipient name').fill('Adjoa')
  await pill(page).click()
  await expect(entry(page, 'Draft of Request')).toContainText('Draft')
  await screenshot(page, 'engine-3-queue-and-draft')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'More for the outbox' }).click()
  await page.getByRole('button', { name: 'Export' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^soma-unsent-\d{4}-\d\d-\d\d\.json$/)
  const saved = JSON.parse(readFileSync(await file.path(), 'utf8'))
  expect(saved.items).toHaveLength(2)
  expect(saved.items[1]).toMatchObject({ title: 'Sandals', state: 'waiting' })
  expect(saved.draft).toMatchObject({ recipientName: 'Adjoa' })
  expect(Object.values(saved.photos)[0]).toMatch(/^data:image\/(jpeg|png);base64,/)

  await entry(page, 'Draft of Request').getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  await expect(entry(page, 'Draft of Request')).toBeHidden()
  await entry(page, 'Request: Sandals').getByRole('button', { name: 'More' }).click()
  await entry(page, 'Request: Sandals').getByRole('button', { name: 'Cancel request' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel request' }).click()
  await expect(page.getByRole('button', { name: 'More for the outbox' })).toBeHidden()
})

test('S26: a phone with a full disk shows it, loses nothing unsent, and goes on when there is space', async ({
  page,
}) => {
  // A test cannot fill the disk, so writing a photo throws the quota error.
  await page.addInitScript(() => {
    const { add } = IDBObjectStore.prototype
    IDBObjectStore.prototype.add = function (...args) {
      if (this.name === 'photos' && sessionStorage.getItem('full'))
        throw new DOMException('No room', 'QuotaExceededError')
      return add.apply(this, args)
    }
  })
  await openForm(page)
  await offline(page)
  await fillRequest(page, { item: 'Blanket', seed: 44 }, kofi)
  await submitRequest(page)
  await page.goto(`${fixture().origin}/send?as=guest`)
  await page.evaluate(() => sessionStorage.setItem('full', 'yes'))
  await page.getByLabel('Item photo: Choose photo').setInputFiles(photo(45))
  await expect(page.getByText('This phone is full').first()).toBeVisible()
  await expect(pill(page)).toHaveText('Phone full')
  await pill(page).click()
  await expect(page.getByText('What you saved is safe')).toBeVisible()
  await screenshot(page, 'engine-4-full')
  await page.evaluate(() => sessionStorage.removeItem('full'))
  await online(page)
  await expect(entry(page, 'Requested: Blanket')).toContainText('Sent')
  expect(await api.deliveriesNamed('Blanket')).toHaveLength(1)
})

test('S31: persistent storage is requested at the first unsent entry, not before', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const asked: string[] = []
    Object.assign(globalThis, { asked })
    navigator.storage.persist = async () => {
      asked.push(location.pathname)
      return true
    }
  })
  const asked = () => page.evaluate(() => (globalThis as unknown as { asked: string[] }).asked)
  await openForm(page)
  await page.waitForTimeout(500)
  expect(await asked()).toEqual([])
  await describeItem(page, 'Adjoa')
  await expect.poll(asked).toEqual(['/send'])
})

async function openForm(page: Page) {
  await page.goto(`${fixture().origin}/send?as=guest`)
  await installed(page)
}
