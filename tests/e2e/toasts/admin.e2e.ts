import { expect, type Page, test } from '@playwright/test'
import { referenceOf } from '#domain/deliveries/reference.ts'
import { admin } from '../../helpers/server/app-server.ts'
import { answerOnce, expectToasts, failing, fillDisk } from '../helpers/page/expect-toasts.ts'
import { navigateTo, openPhone } from '../helpers/page/open-phone.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture } from '../helpers/server/server-fixture.ts'

/* Every toast that an admin sees, with what causes it. */

const fixture = serverFixture()
const api = serverApi(fixture)

let page: Page

// Each test has many steps.
test.describe.configure({ timeout: 180_000 })
test.afterEach(() => page.context().close())

const toasts = () => page.locator('[data-toast]')
const openAdmin = async (prepare?: (page: Page) => Promise<unknown>) => ({
  origin: fixture().origin,
  viewport: { width: 1280, height: 900 },
  prepare,
  person: await api.ask('login', { body: admin }),
})

test('Toasts of an admin when a list cannot be loaded', async ({ browser }) => {
  const { person, ...at } = await openAdmin((on) => on.route('**/api/admin/**', failing))
  page = await openPhone(browser, api, person, at)
  const list = (name: string) => ({
    cause: `${name} that cannot be had`,
    title: 'Error',
    text: `Failed to load ${name}`,
    provoke: () => navigateTo(page, `/admin/${name}`),
  })
  await expectToasts(page, [list('deliveries'), list('drivers'), list('users'), list('disputes')])
})

test('Toasts of an admin when statistics or the lists of the settings cannot be loaded', async ({
  browser,
}) => {
  const shared = /\/api\/(zones|items)/
  const { person, ...at } = await openAdmin(async (on) => {
    await on.route(shared, failing)
    await on.route('**/api/admin/stats', failing)
  })
  page = await openPhone(browser, api, person, at)
  await expectToasts(page, [
    {
      cause: 'zones that cannot be had',
      title: 'Error',
      text: 'Failed to load data',
      provoke: () => navigateTo(page, '/admin/settings'),
    },
    {
      cause: 'figures that cannot be had',
      title: 'Error',
      text: 'Failed to load data',
      provoke: async () => {
        await page.unroute(shared)
        await navigateTo(page, '/admin')
      },
    },
  ])
})

test('Toasts of an admin about drivers', async ({ browser }) => {
  await api.createAccount('Kwesi Waiting', 'driver')
  const { person, ...at } = await openAdmin()
  page = await openPhone(browser, api, person, at)
  await navigateTo(page, '/admin/drivers')
  const review = '**/api/admin/drivers/*'
  const card = page.getByRole('article', { name: 'Kwesi Waiting' })
  const press = (name: 'Approve' | 'Reject') => card.getByRole('button', { name }).click()
  const refused = (name: 'Approve' | 'Reject', error?: string) => async () => {
    await answerOnce(page, review, 400, { error })
    await press(name)
  }
  await expectToasts(page, [
    {
      cause: 'an approval the server refuses',
      title: 'Error',
      text: 'Failed to approve driver',
      provoke: refused('Approve'),
    },
    {
      cause: 'an approval it refuses in words',
      title: 'Error',
      text: 'Failed to approve driver. The papers have run out.',
      provoke: refused('Approve', 'The papers have run out.'),
    },
    {
      cause: 'a rejection the server refuses',
      title: 'Error',
      text: 'Failed to reject driver',
      provoke: refused('Reject'),
    },
    {
      cause: 'a rejection it refuses in words',
      title: 'Error',
      text: 'Failed to reject driver. A job is under way.',
      provoke: refused('Reject', 'A job is under way.'),
    },
    {
      cause: 'approving',
      title: 'Driver Approved',
      text: 'Driver has been approved successfully',
      provoke: () => press('Approve'),
    },
    {
      cause: 'rejecting',
      title: 'Driver Rejected',
      text: 'Driver has been rejected',
      provoke: async () => {
        await press('Reject')
        await page.getByRole('dialog').getByRole('button', { name: 'Reject driver' }).click()
      },
    },
    {
      cause: 'a device that can keep nothing',
      title: 'Error',
      text: 'Failed to update driver status',
      provoke: async () => {
        await fillDisk(page)
        await press('Approve')
      },
    },
  ])
})

for (const [kind, Kind, box] of [
  ['zone', 'Zone', 'Control Zones'],
  ['item', 'Item', 'Item Descriptions'],
] as const)
  test(`Toasts of an admin about ${kind}s`, async ({ browser }) => {
    const { person, ...at } = await openAdmin()
    page = await openPhone(browser, api, person, at)
    await navigateTo(page, '/admin/settings')
    const card = page.getByRole('region', { name: box })
    const name = `New ${kind}`
    const add = async () => {
      await card.getByRole('textbox').fill(name)
      await card.getByRole('button', { name: 'Add' }).click()
    }
    const remove = () => card.getByRole('button', { name: `Delete ${name}` }).click()
    const refused = (error?: string) => async () => {
      await answerOnce(page, `**/api/admin/${kind}s/*`, 400, { error })
      await remove()
    }
    await test.step(`a ${kind} the server does not take: nothing`, async () => {
      const path = `**/api/admin/${kind}s`
      await answerOnce(page, path, 400, { error: 'Not here.' })
      const answered = page.waitForResponse(path)
      await add()
      await answered
      await expect(card.getByText('Not sent yet')).toHaveCount(0)
      await page.waitForTimeout(1_000)
      await expect(toasts()).toHaveCount(0)
    })
    await expectToasts(page, [
      {
        cause: `adding a ${kind}`,
        title: `${Kind} added!`,
        text: new RegExp(`"${name}"`),
        provoke: add,
      },
      {
        cause: 'a deletion the server refuses',
        title: 'Error',
        text: `Failed to delete ${kind}`,
        provoke: refused(),
      },
      {
        cause: 'a deletion it refuses in words',
        title: 'Error',
        text: 'Somebody needs it.',
        provoke: refused('Somebody needs it.'),
      },
      {
        cause: `deleting a ${kind}`,
        title: `${Kind} deleted!`,
        text: new RegExp(`"${name}"`),
        provoke: remove,
      },
    ])
  })

test('Toasts of an admin about deliveries and disputes', async ({ browser }) => {
  const ama = await api.createAccount('Ama Told', 'sender')
  const made = await api.createDelivery(ama, { itemDescription: 'A stool' })
  await api.ask('createDispute', {
    token: ama.token,
    body: { deliveryId: made.ID, issue: 'Late', type: 'sender_issue', priority: 'medium' },
  })
  const { person, ...at } = await openAdmin()
  page = await openPhone(browser, api, person, at)
  const status = `**/api/deliveries/${made.ID}/status`
  const cancel = async () => {
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel delivery' }).click()
    const sure = page.getByRole('dialog', { name: 'Cancel this delivery?' })
    await sure.getByRole('textbox').fill(referenceOf(made.ID))
    await sure.getByRole('button', { name: 'Cancel delivery' }).click()
  }
  const resolve = async () => {
    await page.getByLabel('Reason').fill('Talked it over.')
    await page.getByRole('button', { name: 'Resolve dispute' }).click()
    const sure = page.getByRole('dialog', { name: 'No money moves?' })
    await sure.getByRole('button', { name: 'Resolve dispute' }).click()
  }
  await expectToasts(page, [
    {
      cause: 'a cancellation the server refuses',
      title: 'Error',
      text: 'Failed to update status',
      provoke: async () => {
        await navigateTo(page, '/admin/deliveries')
        await page.getByRole('button', { name: 'A stool' }).click()
        await answerOnce(page, status, 400, {})
        await cancel()
      },
    },
    {
      cause: 'cancelling',
      title: 'Status Updated',
      text: 'A stool is Cancelled.',
      provoke: cancel,
    },
    {
      cause: 'a resolution the server refuses',
      title: 'Error',
      text: 'Not by you.',
      provoke: async () => {
        await page.keyboard.press('Escape')
        await navigateTo(page, '/admin/disputes')
        await page.getByRole('link', { name: 'View Details' }).click()
        await answerOnce(page, '**/api/admin/disputes/*', 400, { error: 'Not by you.' })
        await resolve()
      },
    },
    {
      cause: 'a resolution',
      title: 'Dispute Resolved',
      text: 'The dispute about A stool is closed.',
      provoke: resolve,
    },
  ])
})
