import { expect, type Page } from '@playwright/test'
import { referenceOf } from '#domain/deliveries/reference.ts'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { chooseTile, toast } from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { admin } from '../../../helpers/server/app-server.ts'

/* What an admin does every day, on a desktop and without a mouse. */

const fixture = serverFixture()
const api = serverApi(fixture)

/** One desk for all tests of this file; each begins at a screen of its own. */
let page: Page
test.beforeAll(async ({ browser }) => {
  page = await openPhone(browser, api, await api.ask('login', { body: admin }), {
    origin: fixture().origin,
    viewport: { width: 1280, height: 900 },
    clock: true,
  })
})
test.afterAll(() => page.context().close())

async function openDesk(path: string): Promise<void> {
  await navigateTo(page, path)
  await expect(page.getByRole('navigation', { name: 'Admin' })).toBeVisible()
}

const press = async (...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

test('Seven daily inputs need no mouse', async () => {
  const ama = await api.createAccount('Ama Keys', 'sender')
  const yaw = await api.createDriver('Yaw Keys')
  for (const itemDescription of ['A harp', 'A lute']) {
    const made = await api.createDelivery(ama, { itemDescription })
    await api.completeDelivery(yaw, made)
    // A sender has one delivery under way at a time, and an open issue blocks its approval (R108).
    await api.ask('changeStatus', { token: ama.token, id: made.ID, body: { status: 'Approved' } })
    const body = { deliveryId: made.ID, issue: `${itemDescription} is out of tune` }
    await api.ask('createDispute', {
      token: ama.token,
      body: { ...body, type: 'sender_issue', priority: 'medium' },
    })
  }
  const people = await Promise.all(
    ['Abena First', 'Esi Second', 'Kofi Third'].map((name) => api.createAccount(name, 'driver')),
  )
  await openDesk('/admin')
  const rows = page.getByRole('table').locator('tbody tr')
  const panel = (name: string) => page.getByRole('dialog', { name })

  await test.step('1: go to a section', async () => {
    await press('g', 'd')
    await expect(page.getByRole('heading', { name: 'Delivery Overview' })).toBeVisible()
    await expect(rows).toHaveCount(2)
  })
  await test.step('2: search', async () => {
    await press('f')
    await page.keyboard.type('a harp')
    await expect(rows).toHaveCount(1)
    await press('Control+a', 'Delete')
    await expect(rows).toHaveCount(2)
  })
  await test.step('3: read one delivery after another', async () => {
    await page.getByRole('searchbox', { name: 'Search all deliveries...' }).blur()
    await press('j', 'Enter')
    await expect(panel('A lute')).toBeVisible()
    await screenshot(page, 'admin-side-panel')
    await press('j', 'Enter')
    await expect(panel('A harp')).toBeVisible()
    await expect(panel('A harp').getByRole('region', { name: 'Timeline' })).toContainText(
      'Picked Up',
    )
    await press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
  await test.step('4 to 6: approve, skip and reject applications, and undo', async () => {
    await press('v')
    const applicant = (name: string) => page.getByRole('article', { name })
    const shown = page.getByRole('article')
    await expect(shown).toHaveCount(1)
    const first = (await shown.getAttribute('aria-label')) ?? ''
    await screenshot(page, 'admin-review')
    await press('a')
    await expect(applicant(first)).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
    await press('u')
    await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0)
    await press('ArrowLeft')
    await expect(applicant(first)).toBeVisible()
    await press('s')
    await expect(applicant(first)).toHaveCount(0)
    const second = (await shown.getAttribute('aria-label')) ?? ''
    await press('r')
    const sure = page.getByRole('dialog', { name: `Reject ${second}?` })
    await chooseTile(page, 'The ID has expired')
    await sure.getByRole('button', { name: 'Reject driver' }).click()
    await expect(applicant(second)).toHaveCount(0)
    await expect(toast(page, 'Driver Rejected')).toBeVisible()
    const person = people.find(({ name }) => name === second)
    const token = (await api.ask('login', { body: admin })).token
    const { drivers } = await api.ask('adminDrivers', { token, query: { status: 'rejected' } })
    expect(drivers.map(({ ID }) => ID)).toEqual([person?.id])
  })
  await test.step('7: resolve a dispute', async () => {
    await press('g', 'c')
    await expect(page.getByRole('heading', { name: 'Open Disputes' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'View Details' })).toHaveCount(2)
    await press('j', 'Enter')
    await page.getByRole('form', { name: 'Resolution' }).getByRole('textbox').focus()
    await page.keyboard.type('Tuned again.')
    await press('Control+Enter')
    await expect(page.getByRole('dialog', { name: 'Leave as it is?' })).toBeVisible()
    await press('Tab', 'Enter')
    await expect(page.getByText(/^Resolved on/)).toBeVisible()
  })
  await test.step('the keys are listed, and can be switched off', async () => {
    await press('?')
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await list.getByRole('checkbox').focus()
    await press('Space', 'Escape')
    await press('g', 'd')
    await expect(page.getByRole('heading', { name: 'Dispute', exact: true })).toBeVisible()
  })
})

test('R85: Deliveries are filtered by status, route and day in the address, and found by reference', async () => {
  const ama = await api.createAccount('Ama Filter', 'sender')
  const esi = await api.createAccount('Esi Filter', 'sender')
  const route = { pickupZone: 'Labone', dropoffZone: 'Spintex' }
  const made = await api.createDelivery(ama, { itemDescription: 'A sieve', ...route })
  await api.createDelivery(esi, { itemDescription: 'A strainer' })
  await openDesk('/admin/deliveries')
  const rows = page.getByRole('table').locator('tbody tr')
  const today = new Date().toISOString().slice(0, 10)
  await page.getByRole('button', { name: /^Pending \(2\)$/ }).click()
  await expect(rows).toHaveCount(2)
  await page.getByLabel('Pickup zone').selectOption('Labone')
  await page.getByLabel('Drop-off zone').selectOption('Spintex')
  await page.getByLabel('Created from').fill(today)
  await page.getByLabel('Created to').fill(today)
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('A sieve')
  await expect(page.getByRole('button', { name: /^All \(1\)$/ })).toBeVisible()
  const address = new URL(page.url())
  expect(Object.fromEntries(address.searchParams)).toEqual({
    status: 'Pending',
    ...route,
    createdFrom: today,
    createdTo: today,
  })
  await page.reload()
  await expect(rows).toHaveCount(1)
  await page.getByLabel('Created to').fill('2025-01-01')
  await expect(page.getByRole('cell', { name: 'No results.' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(rows).toHaveCount(2)
  await page.getByRole('button', { name: /^All/ }).click()
  await page.getByRole('searchbox', { name: /^Search/ }).fill(referenceOf(made.ID).toLowerCase())
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('A sieve')
})

test('R99: A zone that is deleted can be restored for ten seconds', async () => {
  await openDesk('/admin/settings')
  const card = page.getByRole('region', { name: 'Control Zones' })
  await card.getByRole('textbox').fill('Osu')
  await card.getByRole('button', { name: 'Delete Osu' }).click()
  await expect(card.getByText('Deleting…')).toBeVisible()
  await card.getByRole('button', { name: 'Undo' }).click()
  await expect(card.getByRole('button', { name: 'Delete Osu' })).toBeVisible()
  const { zones } = await api.ask('zones')
  expect(zones.map(({ Name }) => Name)).toContain('Osu')
})

test('R5: Rejecting a driver names the parcel they carry', async () => {
  const ama = await api.createAccount('Ama Parcel', 'sender')
  const yaw = await api.createDriver('Yaw Parcel')
  const made = await api.createDelivery(ama, { itemDescription: 'A kora' })
  await api.ask('acceptDelivery', { token: yaw.token, id: made.ID })
  await api.ask('changeStatus', { token: yaw.token, id: made.ID, body: { status: 'Picked Up' } })
  await openDesk('/admin/drivers?status=approved')
  const card = page.getByRole('article', { name: 'Yaw Parcel' })
  await card.getByRole('button', { name: 'Reject' }).click()
  const sure = page.getByRole('dialog', { name: 'Reject Yaw Parcel?' })
  await expect(sure).toContainText('is carrying A kora, Osu to Tema')
  await sure.getByRole('button', { name: 'Keep as driver' }).click()
  await expect(card.getByRole('button', { name: 'Reject' })).toBeVisible()
})

test('A row opened while its search is still typed stays open', async () => {
  const esi = await api.createAccount('Esi Quick', 'sender')
  await api.createDelivery(esi, { itemDescription: 'A bugle' })
  await openDesk('/admin/deliveries')
  const row = page.getByRole('button', { name: 'A bugle' })
  await row.waitFor()
  await page.getByRole('searchbox', { name: /^Search/ }).fill('bugle')
  await row.click()
  await expect(page).toHaveURL(/q=bugle/)
  await expect(page.getByRole('dialog', { name: 'A bugle' })).toBeVisible()
})

test('A field that is focused as soon as its screen is drawn keeps the focus', async () => {
  await openDesk('/admin')
  await page.evaluate(() => {
    const field = document.querySelector<HTMLInputElement>('[data-search=all]')
    new MutationObserver((_, observer) => {
      if (document.querySelector('h1')?.textContent !== 'Settings') return
      observer.disconnect()
      field?.focus()
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  })
  await navigateTo(page, '/admin/settings')
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
  // Two frames: whatever else the screen does after it was drawn is done.
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  )
  await page.keyboard.type('Kofi')
  await expect(page.getByRole('searchbox', { name: 'Find a person or a delivery' })).toHaveValue(
    'Kofi',
  )
})
