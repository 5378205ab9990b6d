import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { referenceOf } from '#domain/deliveries/reference.ts'
import { fill } from '../../helpers/database/fill-database.ts'
import { admin } from '../../helpers/server/app-server.ts'
import { navigateTo, openPhone } from '../helpers/page/open-phone.ts'
import { offline, online, passUndo, toast } from '../helpers/page/page-actions.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'

const fixture = serverFixture()
const api = serverApi(fixture)
const people = { users: 200, deliveries: 600 }

/** One desk for all tests of this file; each begins at a screen of its own. */
let page: Page
test.beforeAll(async ({ browser }) => {
  await fill(fixture().server.database(), people)
  page = await openPhone(browser, api, await api.ask('login', { body: admin }), {
    origin: fixture().origin,
    viewport: { width: 1280, height: 900 },
    clock: true,
  })
})
test.afterAll(() => page.context().close())

const go = (name: string) =>
  page
    .getByRole('navigation', { name: 'Admin' })
    .getByRole('link', { name: new RegExp(`^${name}( \\d+ \\w+)?$`) })
    .click()
const showing = () => page.getByText(/^Showing /)
const rows = () => page.getByRole('table').locator('tbody tr')

test('R85: An admin finds one delivery among many by searching, sorting and paging', async () => {
  await navigateTo(page, '/admin')
  await go('Deliveries')
  await expect(showing()).toHaveText('Showing 1 to 10 of 600 results')
  await expect(page.getByRole('button', { name: 'Previous' })).toBeDisabled()
  const firstPage = await rows().allTextContents()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(showing()).toHaveText('Showing 11 to 20 of 600 results')
  expect(await rows().allTextContents()).not.toEqual(firstPage)
  await page.reload()
  await expect(showing()).toHaveText('Showing 11 to 20 of 600 results')
  await page.getByRole('button', { name: 'Previous' }).click()
  await expect(showing()).toHaveText('Showing 1 to 10 of 600 results')

  await page.getByRole('button', { name: 'Price (GH₵)' }).click()
  const prices = page.locator('tbody td:nth-child(6)')
  await expect(page.getByRole('columnheader', { name: 'Price' })).toHaveAttribute(
    ...(['aria-sort', 'ascending'] as const),
  )
  await expect
    .poll(async () => {
      const found = (await prices.allTextContents()).map(Number)
      return found[0] === Math.min(...found) && found[0] < 12
    })
    .toBe(true)
  await page.getByPlaceholder('Search all deliveries...').fill('kente')
  await expect(showing()).toHaveText('Showing 1 to 10 of 75 results')
  await page.getByPlaceholder('Search all deliveries...').fill('nothing is called this')
  await expect(page.getByRole('cell', { name: 'No results.' })).toBeVisible()
  await expect(showing()).toHaveText('Showing 0 to 0 of 0 results')
})

test('R32: A dispute resolved offline is closed when the network is back', async () => {
  const ama = await api.createAccount('Ama Hurt', 'sender')
  const yaw = await api.createDriver('Yaw Hasty')
  const made = await api.createDelivery(ama, { itemDescription: 'A mirror' })
  await api.completeDelivery(yaw, made)
  await api.ask('createDispute', {
    token: ama.token,
    body: {
      deliveryId: made.ID,
      issue: 'It came broken',
      type: 'sender_issue',
      priority: 'medium',
    },
  })
  await navigateTo(page, '/admin/disputes')
  const card = page.getByRole('listitem').filter({ hasText: 'It came broken' })
  await expect(card).toContainText(`Delivery: ${referenceOf(made.ID)}`)
  await card.getByRole('link', { name: 'View Details' }).click()
  await expect(page.getByRole('region', { name: 'History' })).toContainText('Picked Up')
  await expect(page.getByRole('region', { name: 'Contacts' })).toContainText(yaw.phone)
  await page.getByRole('button', { name: 'Resolve dispute' }).click()
  await expect(page.getByText('Please say how it was resolved.')).toBeVisible()
  await expect(page.getByText('Please choose what happens to the money.')).toBeVisible()
  await offline(page)
  await page.locator('label').filter({ hasText: 'Leave as it is' }).click()
  await page.getByLabel('Reason').fill('The mirror was mended.')
  await page.getByRole('button', { name: 'Resolve dispute' }).click()
  const sure = page.getByRole('dialog', { name: 'Leave as it is?' })
  await sure.getByRole('button', { name: 'Resolve dispute' }).click()
  await expect(page.getByText('Resolved · not confirmed yet')).toBeVisible()
  await online(page)
  await expect(toast(page, 'Dispute Resolved')).toBeVisible()
  await expect(page.getByText(/^Resolved on/)).toBeVisible()
  await go('Disputes')
  await expect(card).toHaveCount(0)
  await page.getByRole('button', { name: 'Resolved', exact: true }).click()
  await expect(card).toHaveCount(1)
})

test('An unknown user or dispute is shown as not found', async () => {
  const nowhere = '019352f0-0000-7000-8000-000000000000'
  await navigateTo(page, `/admin/users/${nowhere}`)
  await expect(page.getByRole('heading', { name: 'No such user' })).toBeVisible()
  await navigateTo(page, `/admin/disputes/${nowhere}`)
  await expect(page.getByRole('heading', { name: 'No such dispute' })).toBeVisible()
})

test('R4: An admin searches, counts and approves drivers', async () => {
  await api.createAccount('Efua Wanted', 'driver')
  await navigateTo(page, '/admin/drivers')
  await expect(page.getByRole('button', { name: /^All \(\d+\)$/ })).toBeVisible()
  await page.getByPlaceholder('Search drivers...').fill('efua wanted')
  const card = page.getByRole('article', { name: 'Efua Wanted' })
  await expect(page.getByRole('article')).toHaveCount(1)
  await card.getByRole('button', { name: 'View ID' }).click()
  await expect(page.getByRole('dialog').getByRole('img')).toBeVisible()
  await page.getByRole('button', { name: 'Close' }).click()
  await card.getByRole('button', { name: 'Approve' }).click()
  await card.getByRole('button', { name: 'Undo' }).click()
  await expect(card.getByRole('button', { name: 'Reject' })).toBeVisible()
  await card.getByRole('button', { name: 'Approve' }).click()
  await expect(card.getByRole('button', { name: 'Undo' })).toBeVisible()
  await passUndo(page)
  await expect(toast(page, 'Driver Approved')).toBeVisible()
  await expect(card.getByRole('button', { name: 'Approve' })).toHaveCount(0)
  await page.getByRole('button', { name: /^Rejected/ }).click()
  await expect(page.getByText('No drivers found.')).toBeVisible()
})

test('R197, R226: The review begins with the oldest, and the applicant who was opened stays until a person decides, whatever others do', async () => {
  await api.createAccount('Abena Opened', 'driver')
  const kojo = await api.createAccount('Kojo Next', 'driver')
  const { token } = await api.ask('login', { body: admin })
  const waiting = { status: 'pending', sort: 'createdAt' } as const
  const { drivers } = await api.ask('adminDrivers', { token, query: waiting })
  const abena = drivers.find(({ User }) => User.Name === 'Abena Opened')?.ID ?? ''
  await navigateTo(page, '/admin/drivers/review')
  const shown = page.getByRole('article')
  await expect(shown).toHaveAccessibleName(drivers[0]?.User.Name ?? '')
  await navigateTo(page, `/admin/drivers/review?id=${abena}`)
  await expect(shown).toHaveAccessibleName('Abena Opened')
  const approve = page.getByRole('button', { name: /^Approve/ })
  const stood = await approve.boundingBox()

  await api.createAccount('Esi Newer', 'driver')
  const position = page.getByRole('status').filter({ hasText: / of \d+$/ })
  await expect(position).toHaveText(`${drivers.length - 1} of ${drivers.length + 1}`)
  await expect(shown).toHaveAccessibleName('Abena Opened')

  await api.ask('reviewDriver', { token, id: abena, body: { status: 'rejected' } })
  await expect(shown.getByText('This application was rejected')).toBeVisible()
  await expect(shown).toHaveAccessibleName('Abena Opened')
  await expect(approve).toBeDisabled()
  await page.keyboard.press('a')
  await expect(shown).toHaveAccessibleName('Abena Opened')
  expect(await approve.boundingBox()).toEqual(stood)

  await page.keyboard.press('ArrowRight')
  await expect(shown).toHaveAccessibleName('Kojo Next')
  await page.keyboard.press('a')
  await expect(shown).toHaveAccessibleName('Esi Newer')
  expect(await approve.boundingBox()).toEqual(stood)
  await expect(page.getByRole('button', { name: /^Undo/ })).toBeVisible()
  await page.keyboard.press('u')
  await expect(shown).toHaveAccessibleName('Kojo Next')
  await expect(approve).toBeEnabled()
  const { drivers: pending } = await api.ask('adminDrivers', {
    token,
    query: { search: 'kojo next' },
  })
  expect(pending.map(({ ID, Status }) => [ID, Status])).toEqual([[kojo.id, 'pending']])
})

test('The whole list is downloaded as CSV without formulas', async () => {
  await api.createAccount('=HYPERLINK(1)', 'sender')
  await navigateTo(page, '/admin/users')
  await expect(showing()).toBeVisible()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^soma-users-\d{4}-\d\d-\d\d\.csv$/)
  const text = readFileSync((await file.path()) ?? '', 'utf8')
  expect(text.trim().split('\r\n').length).toBeGreaterThan(people.users)
  expect(text).toContain(",'=HYPERLINK(1),")
  expect(text).toContain('ID,Name,Email,Phone,Role')
})

test('R57: The audit log names what an admin did and is searchable', async () => {
  const { email } = await api.createDriver('Kojo Logged')
  await navigateTo(page, '/admin')
  await go('Audit log')
  await expect(page.getByRole('link', { name: 'Audit log' })).toHaveAttribute(
    'aria-current',
    'page',
  )
  await expect(rows().filter({ hasText: `${email}: approved` })).toContainText(
    'Decided on a driver',
  )
  const search = page.getByRole('searchbox', { name: 'Search the audit log...' })
  await search.fill('nothing like this')
  await expect(page.getByText('No results.').filter({ visible: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Download CSV' })).toBeVisible()
  await page.getByRole('link', { name: 'Audit log' }).click()
  await expect(rows()).not.toHaveCount(0)
  await expect(search).toHaveValue('')
})

test('R187: The dashboard begins with what waits, each one click from where it is done', async () => {
  await navigateTo(page, '/admin')
  const list = page.getByRole('region', { name: 'Work list' })
  const sections = list.getByRole('region')
  await expect(sections.filter({ hasText: 'Late' }).first()).toBeVisible()
  const late = (await sections.allTextContents()).map((text) => text.includes('Late'))
  expect(late).toEqual(late.toSorted((a, b) => Number(b) - Number(a)))
  await screenshot(page, 'admin-work-list')

  const oldest = list.getByRole('region', { name: 'No driver for 30 minutes' }).getByRole('link')
  const name = (await oldest.first().locator('.truncate').textContent()) ?? ''
  await oldest.first().click()
  await expect(page.getByRole('dialog', { name })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Pending \(/ }).click()
  await expect(page.getByRole('columnheader', { name: 'Created' })).toHaveAttribute(
    ...(['aria-sort', 'ascending'] as const),
  )

  await navigateTo(page, '/admin')
  const applicant = list.getByRole('region', { name: 'Driver applications' }).getByRole('link')
  const person = (await applicant.first().locator('.truncate').textContent()) ?? ''
  await applicant.first().click()
  await expect(page.getByRole('article')).toHaveAccessibleName(person)
})
