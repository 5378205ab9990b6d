import { expect, type Page, test } from '@playwright/test'
import { appOpened } from '../helpers/page/app-opened.ts'
import {
  chooseTile,
  codeShown,
  entry,
  fillRequest,
  kofi,
  logIn,
  offline,
  online,
  pill,
  submitRequest,
} from '../helpers/page/page-actions.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { installed } from '../helpers/page/worker.ts'
import { type Account, serverApi } from '../helpers/server/server-api.ts'
import { serverFixture } from '../helpers/server/server-fixture.ts'

/* Unsent entries: shown, retried, cancelled, edited, and handled at logout. */

const fixture = serverFixture()
const api = serverApi(fixture)

test('The header shows how many entries wait, and the outbox describes them', async ({ page }) => {
  const item = 'Standing fan'
  await openForm(page)
  await expect(pill(page)).toBeHidden()
  await offline(page)
  await fillRequest(page, { item, seed: 21 }, kofi)
  await submitRequest(page)
  await expect(pill(page)).toHaveText('Offline · 1 waiting')
  await pill(page).click()

  await expect(page.getByRole('heading', { name: 'Outbox' })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Offline' }).last()).toBeVisible()
  await expect(entry(page, `Request: ${item}`)).toContainText('Not sent yet')
  // A photo and its request are one thing that the person did.
  await expect(page.getByRole('article')).toHaveCount(1)
  await screenshot(page, 'outbox-1-two-waiting')

  await online(page)
  await expect(entry(page, `Requested: ${item}`)).toContainText('Sent')
  await expect(pill(page)).toBeHidden()
  await screenshot(page, 'outbox-2-sent')
  expect(await api.deliveriesNamed(item)).toHaveLength(1)
})

test('An entry that the server deferred is sent at once when the person asks', async ({ page }) => {
  const item = 'Car battery'
  await openForm(page)
  await fillRequest(page, { item, seed: 22 }, kofi)
  // Ten minutes, longer than the test: nothing is retried unless the person asks.
  const later = { status: 503, headers: { 'retry-after': '600' } }
  const busy = {
    error: 'The service is busy. Please try again in a moment.',
    reason: 'unavailable',
  }
  await page.route('**/api/images/upload', (route) => route.fulfill({ ...later, json: busy }))
  await submitRequest(page)
  await expect(pill(page)).toHaveText('1 waiting')
  await pill(page).click()
  const request = entry(page, `Request: ${item}`)
  await expect(request).toContainText('No connection, trying again')
  await screenshot(page, 'outbox-3-no-answer')

  await page.unroute('**/api/images/upload')
  await request.getByRole('button', { name: 'Retry' }).click()
  await expect(entry(page, `Requested: ${item}`)).toContainText('Sent')
  expect(await api.deliveriesNamed(item)).toHaveLength(1)
})

test('A request is cancelled after a confirmation and never reaches the server', async ({
  page,
}) => {
  const item = 'Old radio'
  await openForm(page)
  await offline(page)
  await fillRequest(page, { item, seed: 23 }, kofi)
  await submitRequest(page)
  await pill(page).click()
  const request = entry(page, `Request: ${item}`)
  await expect(request.getByRole('button', { name: 'Cancel request' })).toBeHidden()
  await request.getByRole('button', { name: 'More' }).click()
  await request.getByRole('button', { name: 'Cancel request' }).click()
  await screenshot(page, 'outbox-4-take-back-dialog')
  await page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).click()
  await expect(request).toContainText('Not sent yet')
  await request.getByRole('button', { name: 'Cancel request' }).click()
  const question = page.getByRole('dialog', { name: 'Cancel this request?' })
  await expect(question).toContainText('It won’t be sent.')
  await question.getByRole('button', { name: 'Cancel request' }).click()
  await expect(request).toContainText('Cancelled')
  await expect(pill(page)).toHaveText('Offline')
  await screenshot(page, 'outbox-5-taken-back')

  await online(page)
  await expect(pill(page)).toBeHidden()
  expect(await api.deliveriesNamed(item)).toEqual([])
  await page.goto(fixture().origin)
  await appOpened(page)
  await expect(page.getByRole('link', { name: 'Send a Package' })).toBeVisible()
  await expect(page.getByRole('link', { name: /Track My Delivery/ })).toBeHidden()
})

test('A waiting request is put back into the form, corrected, and sent once', async ({ page }) => {
  await openForm(page)
  await offline(page)
  await fillRequest(page, { item: 'Two chiars', seed: 24 }, kofi)
  await submitRequest(page)
  await page.goto(`${fixture().origin}/send`)
  const described = page.getByLabel('Describe the item')
  await chooseTile(page, 'Other')
  await described.fill('A tab')
  await pill(page).click()
  const edit = entry(page, 'Request: Two chiars').getByRole('button', { name: 'Edit & resend' })
  await expect(page.getByRole('article', { name: 'Draft of Request: A tab' })).toBeVisible()
  await edit.click()
  const question = page.getByRole('dialog', { name: 'Replace your unsent draft?' })
  await expect(question).toContainText('“A tab” was not submitted')
  await screenshot(page, 'outbox-replace-the-draft')
  await question.getByRole('button', { name: 'Not now' }).click()
  await expect(page.getByRole('article', { name: 'Draft of Request: A tab' })).toBeVisible()
  await edit.click()
  await question.getByRole('button', { name: 'Replace' }).click()
  await expect(described).toHaveValue('Two chiars')
  await expect(page.getByRole('img', { name: 'Your item' })).toBeVisible()
  await described.fill('Two chairs')
  await submitRequest(page)
  await online(page)
  await codeShown(page)
  expect(await api.deliveriesNamed('Two chiars')).toEqual([])
  expect(await api.deliveriesNamed('Two chairs')).toHaveLength(1)
})

test('A logout with unsent entries asks; kept entries wait while another person uses the phone', async ({
  page,
}) => {
  const akosua = await api.createAccount('Akosua Boafo', 'sender')
  const kojo = await api.createAccount('Kojo Antwi', 'sender')
  const item = 'School uniform'
  await requestOffline(page, akosua, item, 25)
  await logOut(page)
  await expect(page.getByRole('dialog', { name: '1 saved item not sent yet' })).toBeVisible()
  await screenshot(page, 'outbox-6-logout-asks')
  await page.getByRole('button', { name: 'Keep them for my next login' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome to Soma' })).toBeVisible()
  await expect(pill(page)).toHaveText('Offline')
  await screenshot(page, 'outbox-7-logged-out')

  await online(page)
  await logIn(page, kojo)
  await page.goto(`${fixture().origin}/outbox`)
  await expect(page.getByRole('heading', { name: 'All caught up' })).toBeVisible()
  await expect(page.getByText('Connected')).toBeVisible()
  expect(await api.deliveriesNamed(item)).toEqual([])
  await logOutAtOnce(page)

  await logIn(page, akosua)
  await page.goto(`${fixture().origin}/outbox`)
  await expect(entry(page, `Requested: ${item}`)).toContainText('Sent')
  expect(await api.deliveriesNamed(item)).toEqual([
    expect.objectContaining({ sender: expect.objectContaining({ id: akosua.id }) }),
  ])
})

test('A logout that discards unsent entries sends none and removes them from the phone', async ({
  page,
}) => {
  const esi = await api.createAccount('Esi Nyarko', 'sender')
  const item = 'Broken lamp'
  await requestOffline(page, esi, item, 26)
  await logOut(page)
  await page.getByRole('button', { name: 'Discard 1 saved item' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome to Soma' })).toBeVisible()
  await online(page)
  await logIn(page, esi)
  await page.goto(`${fixture().origin}/outbox`)
  await expect(page.getByRole('heading', { name: 'Outbox' })).toBeVisible()
  await expect(pill(page)).toBeHidden()
  await expect(page.getByText(item)).toHaveCount(0)
  expect(await api.deliveriesNamed(item)).toEqual([])
})

test('A logout that retries unsent entries sends them first', async ({ page }) => {
  const baaba = await api.createAccount('Baaba Sey', 'sender')
  const item = 'Blender'
  await page.goto(fixture().origin)
  await installed(page)
  await logIn(page, baaba)
  await fillRequest(page, { item, seed: 27 })
  fixture().proxy.set({ kind: 'cut' })
  await submitRequest(page)
  await expect(pill(page)).toHaveText('Offline · 1 waiting')
  await logOut(page)
  fixture().proxy.set({ kind: 'fine' })
  await page.getByRole('button', { name: 'Try to send, then log out' }).click()
  await expect(page.getByRole('link', { name: 'Login' })).toBeVisible()
  expect(await api.deliveriesNamed(item)).toHaveLength(1)
})

async function openForm(page: Page) {
  await page.goto(`${fixture().origin}/send`)
  await installed(page)
}

async function requestOffline(page: Page, by: Account, item: string, seed: number) {
  await page.goto(fixture().origin)
  await installed(page)
  await logIn(page, by)
  await offline(page)
  await fillRequest(page, { item, seed })
  await submitRequest(page)
  await expect(pill(page)).toHaveText('Offline · 1 waiting')
}

async function logOut(page: Page) {
  await page.goto(`${fixture().origin}/profile`)
  await page.getByRole('button', { name: 'Logout' }).click()
}

/** Logs out with nothing unsent; the logout is done when Home shows it. */
async function logOutAtOnce(page: Page) {
  await logOut(page)
  await expect(page.getByRole('heading', { name: 'Welcome to Soma' })).toBeVisible()
}
