import { expect, type Page, test } from '@playwright/test'
import { admin } from '../helpers/server/app-server.ts'
import {
  answerOnce,
  type Cause,
  expectToasts,
  failing,
  fillDisk,
} from './helpers/page/expect-toasts.ts'
import { navigateTo, openPhone } from './helpers/page/open-phone.ts'
import {
  chooseTile,
  fillRequest,
  goOn,
  kofi,
  passUndo,
  pressRequest,
  storedRows,
  submitRequest,
} from './helpers/page/page-actions.ts'
import { photo } from './helpers/photo.ts'
import { serverApi } from './helpers/server/server-api.ts'
import { serverFixture } from './helpers/server/server-fixture.ts'

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
const destructive = 'destructive' as const

test('R81: One toast at a time, announced, gone after five seconds in which nobody reads it', async ({
  browser,
}) => {
  page = await openPhone(browser, api, undefined, at())
  const toasts = page.locator('[data-toast]')
  await navigateTo(page, '/drive')
  await expect(toasts).toHaveText([/^Login Required/])
  await expect(page.getByRole('alert').filter({ has: toasts })).toHaveCount(1)
  await navigateTo(page, `/delivery/${elsewhere}`)
  await expect(toasts).toHaveText([/^Session Expired/])
  const dismiss = toasts.getByRole('button', { name: 'Dismiss' })
  await dismiss.focus()
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
  await expect(toasts).toHaveCount(1)
  await dismiss.blur()
  await page.clock.runFor(4_999)
  await expect(toasts).toHaveCount(1)
  await page.clock.runFor(1)
  await expect(toasts).toHaveCount(0)
})

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
  const again = async () => {
    await expect(page.getByRole('heading', { name: "We couldn't post your request" })).toBeVisible()
    for (const name of ['Report an issue', 'Cancel delivery'])
      await expect(page.getByRole('button', { name })).toBeHidden()
    await expect(page.getByRole('region', { name: 'Delivery code' })).toBeHidden()
    await page.getByRole('button', { name: 'Edit & resend' }).click()
    await pressRequest(page)
  }
  await navigateTo(page, '/send')
  await expectToasts(page, [
    {
      cause: 'no photo',
      kind: destructive,
      says: ['Photo Required', 'Please upload a photo of your item.'],
      provoke: async () => {
        await chooseTile(page, 'Keys')
        await goOn(page)
      },
    },
    {
      cause: 'a photo on its way',
      kind: 'plain',
      says: ['Uploading photo...', 'Please wait while we upload your photo.'],
      provoke: async () => {
        await fillRequest(page, { item: 'Drum' }, kofi)
        await submitRequest(page)
      },
    },
    {
      cause: 'a server that says no',
      kind: destructive,
      says: ['Error', 'Not today.', 'Open Outbox'],
      provoke: async () => {
        await answerOnce(page, post, 400, { error: 'Not today.' })
        upload()
      },
    },
    {
      cause: 'an answer without an ID',
      kind: destructive,
      says: ['Error', 'Failed to create delivery - invalid response', 'Open Outbox'],
      provoke: async () => {
        const { ID: _, ...lacking } = await api.createDelivery(
          await api.createAccount('Abena Asante', 'sender'),
          { itemDescription: 'Model' },
        )
        await answerOnce(page, post, 201, { delivery: lacking, guestToken: 'x' })
        await again()
      },
    },
    {
      cause: 'a request that has arrived',
      kind: 'success',
      says: ['Delivery Created!', 'Your guest delivery has been created successfully.'],
      provoke: again,
    },
    {
      cause: 'copying the code',
      kind: 'success',
      says: ['Copied', 'The delivery code is on your clipboard.'],
      provoke: () => page.getByRole('button', { name: 'Copy', exact: true }).click(),
    },
    {
      cause: 'opening Send while one is under way',
      kind: 'plain',
      says: [
        'Active Guest Delivery',
        'You have an active delivery. Click to track it.',
        'Track Delivery',
      ],
      provoke: () => navigateTo(page, '/send'),
    },
    {
      cause: "somebody else's delivery",
      kind: destructive,
      says: ['Access Denied', "This delivery doesn't belong to your guest session."],
      provoke: () => navigateTo(page, `/delivery/${elsewhere}`),
    },
    {
      cause: 'a delivery without a number',
      kind: destructive,
      says: ['Error', 'Invalid delivery ID'],
      provoke: () => navigateTo(page, '/delivery/'),
    },
    {
      cause: 'a photo this phone cannot keep',
      kind: destructive,
      says: ['Upload Failed', 'Failed to upload photo. Please try again.'],
      provoke: async () => {
        await navigateTo(page, '/send')
        await fillDisk(page)
        await page.getByLabel('Item photo: Choose photo').setInputFiles(photo(4))
      },
    },
  ])
})

test('Toasts of a sender: lists, closed screens, and what failed for an hour and was retried', async ({
  browser,
}) => {
  const efua = await api.createAccount('Efua Ofori', 'sender')
  const prepare = (on: Page) => on.route('**/api/sender/deliveries*', failing)
  page = await openPhone(browser, api, efua, { ...at(), prepare })
  const change = '**/api/users/me/phone'
  const edit = async (to: string) => {
    await page.getByLabel('Phone').fill(to)
    await page.getByRole('button', { name: 'Save' }).click()
  }
  await expectToasts(page, [
    {
      cause: 'a list that cannot be had',
      kind: destructive,
      says: ['Error', 'Failed to load your deliveries'],
      provoke: () => navigateTo(page, '/deliveries'),
    },
    {
      cause: 'opening Drive',
      kind: destructive,
      says: [
        'Driver Access Required',
        'This account does not drive. Sign up as a driver with your ID to find jobs.',
      ],
      provoke: () => navigateTo(page, '/drive'),
    },
    {
      cause: "opening the driver's page",
      kind: destructive,
      says: ['Access Denied', 'Access denied. Driver account required.'],
      provoke: () => navigateTo(page, '/driver-pending'),
    },
    {
      cause: "somebody else's delivery",
      kind: destructive,
      says: ['Error', 'Failed to load delivery details'],
      provoke: () => navigateTo(page, `/delivery/${elsewhere}`),
    },
    {
      cause: 'a new number of nine digits',
      kind: destructive,
      says: ['Invalid Phone Number', 'Phone number must be exactly 10 digits.'],
      provoke: async () => {
        await navigateTo(page, '/profile')
        await page.getByRole('button', { name: 'Edit phone' }).click()
        await edit('024411122')
      },
    },
    {
      cause: 'failures of the server for an hour',
      kind: destructive,
      says: [
        'Not sent yet',
        'New phone number: 0244555666: we have a problem on our side. It is saved and retries daily.',
        'Open Outbox',
      ],
      provoke: async () => {
        await page.route(change, failing)
        await edit('0244555666')
        await failForAnHour(page)
        await page.unroute(change)
      },
    },
    {
      cause: 'a retry',
      kind: 'success',
      says: ['Phone Updated', 'Confirm 0244555666 with the code we sent.', 'Open'],
      provoke: async () => {
        await navigateTo(page, '/outbox')
        // The entry's own button: the one above retries waiting entries, not parked ones.
        const waiting = page.getByRole('region', { name: 'Waiting' })
        await waiting.getByRole('button', { name: 'Retry' }).click()
      },
    },
  ])
})

test('Toasts of a driver: the application and the route', async ({ browser }) => {
  const kwesi = await api.createAccount('Kwesi Waiting', 'driver')
  const prepare = (on: Page) => on.route('**/api/driver/available-deliveries*', failing)
  page = await openPhone(browser, api, kwesi, { ...at(), prepare })
  const find = async (from?: string, to?: string) => {
    if (from) await page.getByLabel('Current zone').selectOption(from)
    if (to) await page.getByLabel('Destination zone').selectOption(to)
    await page.getByRole('button', { name: 'Find Deliveries' }).click()
  }
  await expectToasts(page, [
    {
      cause: 'opening Drive before the approval',
      kind: destructive,
      says: [
        'Driver Approval Required',
        'Your application is under review. Approval usually takes 24-48 hours.',
      ],
      provoke: () => navigateTo(page, '/drive'),
    },
    {
      cause: 'a check that fails',
      kind: destructive,
      says: ['Error', 'Failed to check status.'],
      provoke: async () => {
        await page.route('**/api/driver/status', failing)
        await navigateTo(page, '/driver-pending')
        await page.getByRole('button', { name: 'Check Approval Status' }).click()
      },
    },
    {
      cause: 'jobs that cannot be had',
      kind: destructive,
      says: ['Error', 'Failed to load available deliveries'],
      provoke: async () => {
        await page.unroute('**/api/driver/status')
        await api.asAdmin('reviewDriver', { id: kwesi.id, body: { status: 'approved' } })
        await page.goto(`${fixture().origin}/drive`)
      },
    },
    {
      cause: 'no zones chosen',
      kind: destructive,
      says: ['Select Zones', 'Please select both your current and destination zones.'],
      provoke: async () => {
        await page.unrouteAll()
        await page.getByRole('button', { name: 'All routes' }).click()
        await find()
      },
    },
    {
      cause: 'the same zone twice',
      kind: destructive,
      says: ['Invalid Zones', 'Current and destination zones cannot be the same.'],
      provoke: () => find('Osu', 'Osu'),
    },
    {
      cause: 'a route without jobs',
      kind: 'plain',
      says: [
        'No deliveries found',
        'No jobs on your route right now. Try other zones, or all routes.',
      ],
      provoke: () => find('Tesano', 'Legon Campus'),
    },
  ])
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
  const failsToLoad = (what: string, path: string): Cause => ({
    cause: `${path} that cannot be had`,
    kind: destructive,
    says: ['Error', `Failed to load ${what}`],
    provoke: () => navigateTo(page, path),
  })
  const card = page.getByRole('region', { name: 'Control Zones' })
  const remove = async () => {
    await card.getByRole('button', { name: 'Delete Mamprobi' }).click()
    await expect(card.getByRole('button', { name: 'Undo' })).toBeVisible()
    await passUndo(page)
  }
  await expectToasts(page, [
    failsToLoad('deliveries', '/admin/deliveries'),
    failsToLoad('drivers', '/admin/drivers'),
    failsToLoad('users', '/admin/users'),
    failsToLoad('disputes', '/admin/disputes'),
    failsToLoad('data', '/admin/settings'),
    {
      cause: 'figures that cannot be had',
      kind: destructive,
      says: ['Error', 'Failed to load data'],
      provoke: async () => {
        // The other parts of the dashboard would each have a toast.
        await page.unrouteAll()
        await page.route('**/api/admin/stats', failing)
        await navigateTo(page, '/admin')
      },
    },
    {
      cause: 'adding a zone',
      kind: 'success',
      says: ['Zone added!', '"Mamprobi" is on the list.'],
      provoke: async () => {
        await page.unrouteAll()
        await navigateTo(page, '/admin/settings')
        await card.getByRole('textbox').fill('Mamprobi')
        await card.getByRole('button', { name: 'Add' }).click()
      },
    },
    {
      cause: 'a deletion that the server refuses',
      kind: destructive,
      says: ['Error', 'Somebody needs it.', 'Open Outbox'],
      provoke: async () => {
        await answerOnce(page, '**/api/admin/zones/*', 400, { error: 'Somebody needs it.' })
        await remove()
      },
    },
    {
      cause: 'deleting a zone',
      kind: 'success',
      says: ['Zone deleted!', '"Mamprobi" is off the list.'],
      provoke: remove,
    },
    {
      cause: 'a device that can keep nothing',
      kind: destructive,
      says: ['Error', 'Failed to update driver status'],
      provoke: async () => {
        await navigateTo(page, '/admin/drivers')
        const approve = page
          .getByRole('article', { name: 'Kojo Waiting' })
          .getByRole('button', { name: 'Approve' })
        await expect(approve).toBeVisible()
        await fillDisk(page)
        await approve.click()
      },
    },
  ])
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
