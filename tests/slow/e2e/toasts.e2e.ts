import { expect, type Page } from '@playwright/test'
import { answerOnce, expectToast, failing, fillDisk } from '../../e2e/helpers/page/expect-toasts.ts'
import { navigateTo, openPhone } from '../../e2e/helpers/page/open-phone.ts'
import {
  fillRequest,
  kofi,
  passUndo,
  pressRequest,
  storedRows,
  submitRequest,
} from '../../e2e/helpers/page/page-actions.ts'
import { photo } from '../../e2e/helpers/photo.ts'
import { serverApi } from '../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../e2e/helpers/server/server-fixture.ts'
import { admin } from '../../helpers/server/app-server.ts'

/*
 * Each kind of toast, and those whose text stands in a screen. The texts about the outbox's entries are held by
 * tests/app/texts/outbox-texts.test.ts, those about accounts by the tests of accounts.
 */

const fixture = serverFixture()
const api = serverApi(fixture)

let page: Page
test.afterEach(() => page.context().close())

const at = () => ({ origin: fixture().origin, clock: true })
const elsewhere = '019352f0-0000-7000-8000-000000000000'

const failure = (...says: string[]) => expectToast(page, 'destructive', says)
const success = (...says: string[]) => expectToast(page, 'success', says)
const plain = (...says: string[]) => expectToast(page, 'plain', says)

test('Toasts of a guest: forms, uploads, requests and their room', async ({ browser }) => {
  page = await openPhone(browser, api, undefined, { ...at(), permissions: ['clipboard-write'] })
  const post = '**/api/guest/deliveries'
  let upload = () => {}
  const uploading = new Promise<void>((resolve) => {
    upload = resolve
  })
  await page.route('**/images/upload', async (route) => {
    await uploading
    await route.continue()
  })
  const resend = async () => {
    await expect(page.getByRole('heading', { name: "We couldn't post your request" })).toBeVisible()
    for (const name of ['Report an issue', 'Cancel delivery'])
      await expect(page.getByRole('button', { name })).toBeHidden()
    await expect(page.getByRole('region', { name: 'Delivery code' })).toBeHidden()
    await page.getByRole('button', { name: 'Edit & resend' }).click()
    await pressRequest(page)
  }
  await navigateTo(page, '/send')
  await fillRequest(page, { item: 'Drum' }, kofi)
  await submitRequest(page)
  await plain('Uploading photo...', 'Please wait while we upload your photo.')
  await answerOnce(page, post, 400, { error: 'Not today.' })
  upload()
  await failure('Error', 'Not today.', 'Open Outbox')

  const abena = await api.createAccount('Abena Asante', 'sender')
  const { ID: _, ...lacking } = await api.createDelivery(abena, { itemDescription: 'Model' })
  await answerOnce(page, post, 201, { delivery: lacking, guestToken: 'x' })
  await resend()
  await failure('Error', 'Failed to create delivery - invalid response', 'Open Outbox')
  await resend()
  await success('Delivery Created!', 'Your guest delivery has been created successfully.')

  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await success('Copied', 'The delivery code is on your clipboard.')
  await navigateTo(page, '/send')
  await plain(
    'Active Guest Delivery',
    'You have an active delivery. Click to track it.',
    'Track Delivery',
  )
  await navigateTo(page, `/delivery/${elsewhere}`)
  await failure('Access Denied', "This delivery doesn't belong to your guest session.")
  await navigateTo(page, '/delivery/')
  await failure('Error', 'Invalid delivery ID')
  await navigateTo(page, '/send')
  await fillDisk(page)
  await page.getByLabel('Item photo: Choose photo').setInputFiles(photo(4))
  await failure('Upload Failed', 'Failed to upload photo. Please try again.')
})

test('Toasts of a sender: lists, closed screens, and what failed for an hour and was retried', async ({
  browser,
}) => {
  const efua = await api.createAccount('Efua Ofori', 'sender')
  const prepare = (on: Page) => on.route('**/api/sender/deliveries*', failing)
  page = await openPhone(browser, api, efua, { ...at(), prepare })
  await navigateTo(page, '/deliveries')
  await failure('Error', 'Failed to load your deliveries')
  await navigateTo(page, '/drive')
  await failure(
    'Driver Access Required',
    'This account does not drive. Become a driver with your ID to find jobs.',
  )
  await navigateTo(page, '/driver-pending')
  await failure('Access Denied', 'Access denied. Driver account required.')
  await navigateTo(page, `/delivery/${elsewhere}`)
  await failure('Error', 'Failed to load delivery details')

  await navigateTo(page, '/profile')
  await page.getByRole('button', { name: 'Edit phone' }).click()
  const change = '**/api/users/me/phone'
  await page.route(change, failing)
  await page.getByLabel('Phone').fill('0244555666')
  await page.getByRole('button', { name: 'Save' }).click()
  await failForAnHour(page)
  await failure(
    'Not sent yet',
    'New phone number: 0244555666: we have a problem on our side. It is saved and retries daily.',
    'Open Outbox',
  )
  await page.unroute(change)
  await navigateTo(page, '/outbox')
  // The entry's own button: the one above retries waiting entries, not parked ones.
  const waiting = page.getByRole('region', { name: 'Waiting' })
  await waiting.getByRole('button', { name: 'Retry' }).click()
  await success('Phone Updated', 'Confirm 0244555666 with the code we sent.', 'Open')
})

test('Toasts of a driver who is not approved', async ({ browser }) => {
  page = await openPhone(browser, api, await api.createAccount('Kwesi Waiting', 'driver'), at())
  await navigateTo(page, '/drive')
  await failure(
    'Driver Approval Required',
    'Your application is under review. Approval usually takes 24-48 hours.',
  )
  await page.route('**/api/driver/status', failing)
  await navigateTo(page, '/driver-pending')
  await page.getByRole('button', { name: 'Check Approval Status' }).click()
  await failure('Error', 'Failed to check status.')
})

test('Toasts of a driver about the list and the route', async ({ browser }) => {
  const prepare = (on: Page) => on.route('**/api/driver/available-deliveries*', failing)
  page = await openPhone(browser, api, await api.createDriver('Ama Driver'), { ...at(), prepare })
  await navigateTo(page, '/drive')
  await failure('Error', 'Failed to load available deliveries')
  await page.unrouteAll()
  const find = async (from?: string, to?: string) => {
    if (from) await page.getByLabel('Current zone').selectOption(from)
    if (to) await page.getByLabel('Destination zone').selectOption(to)
    await page.getByRole('button', { name: 'Find Deliveries' }).click()
  }
  await page.getByRole('button', { name: 'Your way' }).click()
  const said = page.getByRole('form', { name: 'Your way' }).getByRole('alert')
  await find()
  await expect(said).toHaveText(
    'Select Zones: Please select both your current and destination zones.',
  )
  await find('Osu', 'Osu')
  await expect(said).toHaveText('Invalid Zones: Current and destination zones cannot be the same.')
  await find('Tesano', 'Legon Campus')
  await plain(
    'No deliveries found',
    'No jobs on your route right now. Try other zones, or all jobs.',
  )
})

test('Toasts of an admin: lists, settings and drivers', async ({ browser }) => {
  await api.createAccount('Kojo Waiting', 'driver')
  page = await openPhone(browser, api, await api.ask('login', { body: admin }), {
    ...at(),
    viewport: { width: 1280, height: 900 },
    prepare: async (on) => {
      await on.route('**/api/admin/**', failing)
      await on.route(/\/api\/(zones|items)/, failing)
    },
  })
  for (const list of ['deliveries', 'drivers', 'users', 'disputes']) {
    await navigateTo(page, `/admin/${list}`)
    await failure('Error', `Failed to load ${list}`)
  }
  await navigateTo(page, '/admin/settings')
  await failure('Error', 'Failed to load data')
  // The other parts of the dashboard would each have a toast.
  await page.unrouteAll()
  await page.route('**/api/admin/stats', failing)
  await navigateTo(page, '/admin')
  await failure('Error', 'Failed to load data')
  await page.unrouteAll()

  const card = page.getByRole('region', { name: 'Control Zones' })
  const remove = async () => {
    await card.getByRole('button', { name: 'Delete Mamprobi' }).click()
    await expect(card.getByRole('button', { name: 'Undo' })).toBeVisible()
    await passUndo(page)
  }
  await navigateTo(page, '/admin/settings')
  await card.getByRole('textbox').fill('Mamprobi')
  await card.getByRole('button', { name: 'Add' }).click()
  await success('Zone added!', '"Mamprobi" is on the list.')
  await answerOnce(page, '**/api/admin/zones/*', 400, { error: 'Somebody needs it.' })
  await remove()
  await failure('Error', 'Somebody needs it.', 'Open Outbox')
  await remove()
  await success('Zone deleted!', '"Mamprobi" is off the list.')

  await navigateTo(page, '/admin/drivers')
  const applicant = page.getByRole('article', { name: 'Kojo Waiting' })
  const approve = applicant.getByRole('button', { name: 'Approve' })
  await expect(approve).toBeVisible()
  await fillDisk(page)
  await approve.click()
  await failure('Error', 'Failed to update driver status')
})

type Entry = { op: string; state: string; failures: number }

/** Ten minutes pass after each failure of the change of the number, until it is parked. */
async function failForAnHour(page: Page): Promise<void> {
  const entry = async () => {
    const entries = (await storedRows(page, 'outbox')) as Entry[]
    return entries.find(({ op }) => op === 'changePhone')
  }
  for (let failures = 0, state = ''; state !== 'parked'; ) {
    await expect.poll(async () => (await entry())?.failures ?? 0).toBeGreaterThan(failures)
    const now = await entry()
    failures = now?.failures ?? 0
    state = now?.state ?? ''
    if (state !== 'parked') await page.clock.fastForward(10 * 60_000)
  }
}
