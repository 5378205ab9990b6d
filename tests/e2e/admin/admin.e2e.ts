import { readFileSync } from 'node:fs'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { referenceOf } from '#domain/deliveries/reference.ts'
import { fill } from '../../helpers/database/fill-database.ts'
import { admin } from '../../helpers/server/app-server.ts'
import { axeViolations } from '../helpers/page/axe.ts'
import { cutOff, largeText, usualText } from '../helpers/page/layout-checks.ts'
import { logIn, newPhone, offline, online, toast } from '../helpers/page/page-actions.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { inTheme } from '../helpers/page/theme.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture } from '../helpers/server/server-fixture.ts'

const fixture = serverFixture()
const api = serverApi(fixture)
const people = { users: 200, deliveries: 600 }

test.beforeAll(async () => {
  await fill(fixture().server.database(), people)
})

const wide = { width: 1280, height: 900 }

async function openAdmin(browser: Browser, viewport = wide): Promise<Page> {
  const page = await newPhone(browser, fixture().origin)
  await page.setViewportSize(viewport)
  await logIn(page, admin)
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()
  return page
}

const go = (page: Page, name: string) =>
  page
    .getByRole('navigation', { name: 'Admin' })
    .getByRole('link', { name: new RegExp(`^${name}( \\d+ \\w+)?$`) })
    .click()
const showing = (page: Page) => page.getByText(/^Showing /)
const rows = (page: Page) => page.getByRole('table').locator('tbody tr')

test('R85: An admin finds one delivery among many by searching, sorting and paging', async ({
  browser,
}) => {
  const page = await openAdmin(browser)
  await go(page, 'Deliveries')
  await expect(showing(page)).toHaveText('Showing 1 to 10 of 600 results')
  await expect(page.getByRole('button', { name: 'Previous' })).toBeDisabled()
  const firstPage = await rows(page).allTextContents()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(showing(page)).toHaveText('Showing 11 to 20 of 600 results')
  expect(await rows(page).allTextContents()).not.toEqual(firstPage)
  await page.getByRole('button', { name: 'Previous' }).click()
  await expect(showing(page)).toHaveText('Showing 1 to 10 of 600 results')

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
  await expect(showing(page)).toHaveText('Showing 1 to 10 of 75 results')
  await page.getByPlaceholder('Search all deliveries...').fill('nothing is called this')
  await expect(page.getByRole('cell', { name: 'No results.' })).toBeVisible()
  await expect(showing(page)).toHaveText('Showing 0 to 0 of 0 results')
  await page.context().close()
})

test('Offline, admin pages opened before are shown, and a search says that it covers them only', async ({
  browser,
}) => {
  const page = await openAdmin(browser)
  await go(page, 'Deliveries')
  await expect(showing(page)).toHaveText('Showing 1 to 10 of 600 results')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(showing(page)).toHaveText('Showing 11 to 20 of 600 results')
  await offline(page)
  await expect(page.getByText('Offline: this page is saved on this device.')).toBeVisible({
    timeout: 45_000,
  })
  await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled()
  await page.getByRole('button', { name: 'Previous' }).click()
  await expect(showing(page)).toHaveText('Showing 1 to 10 of 600 results')
  await screenshot(page, 'admin-deliveries-offline')
  await page.getByPlaceholder('Search all deliveries...').fill('o')
  await expect(
    page.getByText('Offline: only rows saved on this device are searched.'),
  ).toBeVisible()
  await expect(showing(page)).toHaveText(/of (1\d|20) results/)
  await online(page)
  await expect(showing(page)).toHaveText(/of \d{3} results/, { timeout: 30_000 })
  await page.context().close()
})

test('R27, R52: An admin reads all details of a delivery and cancels it', async ({ browser }) => {
  const page = await openAdmin(browser)
  const ama = await api.createAccount('Ama Cancelled', 'sender')
  const made = await api.createDelivery(ama, { itemDescription: 'A drum' })
  await go(page, 'Deliveries')
  await page.getByPlaceholder('Search all deliveries...').fill('a drum')
  await page.getByRole('button', { name: 'A drum' }).click()
  const dialog = page.getByRole('dialog', { name: 'A drum' })
  for (const text of [
    referenceOf(made.ID),
    made.deliveryCode ?? '',
    'GH₵ 60.00',
    ama.email,
    'Unassigned',
  ])
    await expect(dialog.getByText(text).first()).toBeVisible()
  await expect(dialog.getByRole('img', { name: 'A drum' })).toBeVisible()
  await screenshot(page, 'admin-delivery-details')
  await expectAccessible(page, 'light')
  await dialog.getByRole('button', { name: 'Cancel delivery' }).click()
  const sure = page.getByRole('dialog', { name: 'Cancel this delivery?' })
  const yes = sure.getByRole('button', { name: 'Cancel delivery' })
  await expect(yes).toBeDisabled()
  await sure.getByRole('textbox').fill(referenceOf(made.ID).slice(-4).toLowerCase())
  await yes.click()
  await expect(toast(page, 'Status Updated')).toBeVisible()
  expect((await api.deliveryNamed('A drum')).status).toBe('Cancelled')
  await dialog.getByRole('link', { name: 'Ama Cancelled' }).click()
  await expect(page.getByRole('heading', { name: 'Ama Cancelled' })).toBeVisible()
  await expect(page.getByRole('button', { name: /A drum/ })).toContainText('Cancelled')
  await page.context().close()
})

test('R32: A dispute resolved offline is closed when the network is back', async ({ browser }) => {
  const page = await openAdmin(browser)
  const [ama, yaw] = [
    await api.createAccount('Ama Hurt', 'sender'),
    await api.createDriver('Yaw Hasty'),
  ]
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
  await go(page, 'Disputes')
  const card = page.getByRole('listitem').filter({ hasText: 'It came broken' })
  await expect(card).toContainText(`Delivery: ${referenceOf(made.ID)}`)
  await card.getByRole('link', { name: 'View Details' }).click()
  await expect(page.getByRole('region', { name: 'History' })).toContainText('Picked Up')
  await expect(page.getByRole('region', { name: 'Contacts' })).toContainText(yaw.phone)
  await page.getByRole('button', { name: 'Resolve dispute' }).click()
  await expect(page.getByText('Please say how it was resolved.')).toBeVisible()
  await expect(page.getByText('Please choose what happens to the money.')).toBeVisible()
  await offline(page)
  await page.locator('label').filter({ hasText: 'No money moves' }).click()
  await page.getByLabel('Reason').fill('The mirror was mended.')
  await page.getByRole('button', { name: 'Resolve dispute' }).click()
  const sure = page.getByRole('dialog', { name: 'No money moves?' })
  await sure.getByRole('button', { name: 'Resolve dispute' }).click()
  await expect(page.getByText('Resolved · not confirmed yet')).toBeVisible()
  await online(page)
  await expect(toast(page, 'Dispute Resolved')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText(/^Resolved on/)).toBeVisible()
  await go(page, 'Disputes')
  await expect(card).toHaveCount(0)
  await page.getByRole('button', { name: 'Resolved', exact: true }).click()
  await expect(card).toHaveCount(1)
  await page.context().close()
})

test('R4: An admin searches, counts and approves drivers', async ({ browser }) => {
  const page = await openAdmin(browser)
  await api.createAccount('Efua Wanted', 'driver')
  await go(page, 'Drivers')
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
  await expect(toast(page, 'Driver Approved')).toContainText(
    'Driver has been approved successfully',
    { timeout: 30_000 },
  )
  await expect(card.getByRole('button', { name: 'Approve' })).toHaveCount(0)
  await page.getByRole('button', { name: /^Rejected/ }).click()
  await expect(page.getByText('No drivers found.')).toBeVisible()
  await page.context().close()
})

test('The whole list is downloaded as CSV without formulas', async ({ browser }) => {
  const page = await openAdmin(browser)
  await api.createAccount('=HYPERLINK(1)', 'sender')
  await go(page, 'Users')
  await expect(showing(page)).toBeVisible()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^soma-users-\d{4}-\d\d-\d\d\.csv$/)
  const text = readFileSync((await file.path()) ?? '', 'utf8')
  expect(text.trim().split('\r\n').length).toBeGreaterThan(people.users)
  expect(text).toContain(",'=HYPERLINK(1),")
  expect(text).toContain('ID,Name,Email,Phone,Role')
  await page.context().close()
})

const screens = ['Dashboard', 'Deliveries', 'Drivers', 'Users', 'Disputes', 'Settings']
const sizes = { narrow: { width: 360, height: 740 }, wide }

for (const [size, viewport] of Object.entries(sizes))
  for (const colorScheme of ['light', 'dark'] as const)
    test(`Every admin screen is accessible: ${size}, ${colorScheme}`, async ({ browser }) => {
      test.setTimeout(120_000)
      const page = await openAdmin(browser, viewport)
      await inTheme(page, colorScheme)
      for (const name of screens) {
        await go(page, name)
        await expect(page.locator('.skeleton')).toHaveCount(0)
        await screenshot(page, `admin-${name}-${size}-${colorScheme}`)
        await expectAccessible(page, colorScheme)
        const spills = await page.evaluate(
          () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
        )
        expect(spills, `${name} is wider than the screen`).toBe(false)
        if (size === 'narrow' && colorScheme === 'light') await fitsLargeText(page, name)
        if (name === 'Disputes') await inside(page, 'View Details', `dispute-${size}`, colorScheme)
        if (name === 'Dashboard') {
          await page.getByRole('button', { name: 'Show as table' }).click()
          await expect(page.getByRole('columnheader', { name: 'Revenue' })).toBeVisible()
          await expectAccessible(page, colorScheme)
        }
      }
      await page.goto(`${fixture().origin}/admin/users`)
      await page
        .getByRole('button', { name: /Kwame|Ama|Kofi|Esi/ })
        .locator('visible=true')
        .first()
        .click()
      await expect(page.getByRole('heading', { name: /^Deliveries/ })).toBeVisible()
      await expect(page.locator('.skeleton')).toHaveCount(0)
      await screenshot(page, `admin-user-${size}-${colorScheme}`)
      await expectAccessible(page, colorScheme)
      await page.context().close()
    })

/** Nothing is cut off at 320 px with text twice as large. */
async function fitsLargeText(page: Page, name: string) {
  await page.setViewportSize({ width: 320, height: 640 })
  await largeText(page)
  expect.soft(await cutOff(page), `${name}, cut off at 320 px and 200 %`).toEqual([])
  await screenshot(page, `admin-${name}-200`)
  await usualText(page)
  await page.setViewportSize(sizes.narrow)
}

type Theme = 'light' | 'dark'

async function inside(page: Page, link: string, name: string, colorScheme: Theme) {
  await page.getByRole('link', { name: link }).first().click()
  await expect(page.getByRole('region', { name: 'History' })).toBeVisible()
  await screenshot(page, `admin-${name}-${colorScheme}`)
  await expectAccessible(page, colorScheme)
}

async function expectAccessible(page: Page, colorScheme: Theme) {
  expect(await axeViolations(page, { colorScheme }), page.url()).toEqual([])
}
