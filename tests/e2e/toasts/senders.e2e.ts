import { expect, type Page, test } from '@playwright/test'
import { answerOnce, expectToasts, failing, fillDisk } from '../helpers/page/expect-toasts.ts'
import { navigateTo, openPhone } from '../helpers/page/open-phone.ts'
import {
  chooseTile,
  describeItem,
  fillRequest,
  goOn,
  kofi,
  pressRequest,
  storedRows,
  submitRequest,
} from '../helpers/page/page-actions.ts'
import { photo } from '../helpers/photo.ts'
import { type Account, serverApi } from '../helpers/server/server-api.ts'
import { serverFixture } from '../helpers/server/server-fixture.ts'

/* Every toast that guests and senders see, with what causes it.  */

const fixture = serverFixture()
const api = serverApi(fixture)

let page: Page
let abena: Account
const elsewhere = '019352f0-0000-7000-8000-000000000000'

// Each test has many steps.
test.describe.configure({ timeout: 180_000 })
test.beforeAll(async () => {
  abena = await api.createAccount('Abena Asante', 'sender')
})
test.afterEach(() => page.context().close())

test('Toasts of a guest', async ({ browser }) => {
  page = await openPhone(browser, api, undefined, {
    origin: fixture().origin,
    permissions: ['clipboard-write'],
  })
  await page.goto(`${fixture().origin}/send`)
  const guestPost = '**/api/guest/deliveries'
  const again = async () => {
    await expect(page.getByRole('heading', { name: "We couldn't post your request" })).toBeVisible()
    for (const name of ['Report an issue', 'Cancel delivery'])
      await expect(page.getByRole('button', { name })).toBeHidden()
    await expect(page.getByRole('region', { name: 'Delivery code' })).toBeHidden()
    await page.getByRole('button', { name: 'Edit & resend' }).click()
    await pressRequest(page)
  }
  await expectToasts(page, [
    {
      cause: 'the same zone twice',
      title: 'Invalid Zones',
      text: 'Pickup and drop-off zones cannot be the same.',
      provoke: async () => {
        await describeItem(page, 'Drum')
        await page.getByLabel('Item photo: Choose photo').setInputFiles(photo())
        await expect(page.getByRole('img', { name: 'Your item' })).toBeVisible()
        await goOn(page)
        await page.getByLabel('Pickup zone').selectOption('Osu')
        await page.getByLabel('Drop-off zone').selectOption('Osu')
        await goOn(page)
      },
    },
    {
      cause: 'a server that says no',
      title: 'Error',
      text: 'Not today.',
      provoke: async () => {
        await answerOnce(page, guestPost, 400, { error: 'Not today.' })
        await page.getByLabel('Drop-off zone').selectOption('Tema')
        await goOn(page)
        await page.getByLabel('Your name').fill(kofi.name)
        await page.getByLabel('Your phone').fill(kofi.phone)
        await page.getByLabel('Recipient name').fill('Esi')
        await page.getByLabel('Recipient phone').fill('0550000001')
        await page.getByLabel('Offer').fill('20')
        await pressRequest(page)
      },
    },
    {
      cause: 'a server that says no without words',
      title: 'Error',
      text: 'Failed to create delivery',
      provoke: async () => {
        await answerOnce(page, guestPost, 400, {})
        await again()
      },
    },
    {
      cause: 'an answer without an ID',
      title: 'Error',
      text: 'Failed to create delivery - invalid response',
      provoke: async () => {
        const { ID: _, ...lacking } = await api.createDelivery(abena, { itemDescription: 'Model' })
        await answerOnce(page, guestPost, 201, { delivery: lacking, guestToken: 'x' })
        await again()
      },
    },
    {
      cause: 'a request that has arrived',
      title: 'Delivery Created!',
      text: 'Your guest delivery has been created successfully.',
      provoke: again,
    },
    {
      cause: 'copying the code',
      title: 'Copied',
      provoke: () => page.getByRole('button', { name: 'Copy', exact: true }).click(),
    },
    {
      cause: 'an issue reported',
      title: 'Issue Reported',
      provoke: async () => {
        await page.getByRole('button', { name: 'Report an issue' }).click()
        await page.getByLabel('What happened?').fill('Nobody came.')
        await page.getByRole('button', { name: 'Send report' }).click()
      },
    },
    {
      cause: 'opening Send while one is under way',
      title: 'Active Guest Delivery',
      text: 'You have an active delivery. Click to track it.',
      provoke: () => navigateTo(page, '/send'),
    },
    {
      cause: 'a photo this phone cannot keep',
      title: 'Upload Failed',
      text: 'Failed to upload photo. Please try again.',
      provoke: async () => {
        await fillDisk(page)
        await page.getByLabel('Item photo: Choose photo').setInputFiles(photo(4))
      },
    },
    {
      cause: 'no photo',
      title: 'Photo Required',
      text: 'Please upload a photo of your item.',
      provoke: async () => {
        await page.reload()
        await chooseTile(page, 'Keys')
        await goOn(page)
      },
    },
    {
      cause: "somebody else's delivery",
      title: 'Access Denied',
      text: "This delivery doesn't belong to your guest session.",
      provoke: () => navigateTo(page, `/delivery/${elsewhere}`),
    },
    {
      cause: 'a delivery without a number',
      title: 'Error',
      text: 'Invalid delivery ID',
      provoke: () => navigateTo(page, '/delivery/'),
    },
    { cause: 'opening Drive', title: 'Login Required', provoke: () => navigateTo(page, '/drive') },
  ])
})

test('Toasts of a guest without a record', async ({ browser }) => {
  page = await openPhone(browser, api, undefined, { origin: fixture().origin })
  await expectToasts(page, [
    {
      cause: 'a room with no record',
      title: 'Session Expired',
      provoke: () => navigateTo(page, `/delivery/${elsewhere}`),
    },
  ])
})

test('Toasts of a sender', async ({ browser }) => {
  const efua = await api.createAccount('Efua Ofori', 'sender')
  const fails = (on: Page) => on.route('**/api/sender/deliveries*', failing)
  page = await openPhone(browser, api, efua, { origin: fixture().origin, prepare: fails })
  const post = '**/api/sender/deliveries'
  const edit = async (to: string) => {
    await page.getByRole('button', { name: 'Edit phone' }).click()
    await page.getByLabel('Phone').fill(to)
    await page.getByRole('button', { name: 'Save' }).click()
  }
  await expectToasts(page, [
    {
      cause: 'a list that cannot be had',
      title: 'Error',
      text: 'Failed to load your deliveries',
      provoke: () => navigateTo(page, '/deliveries'),
    },
    {
      cause: 'opening Drive',
      title: 'Driver Access Required',
      provoke: async () => {
        await page.unroute('**/api/sender/deliveries*')
        await navigateTo(page, '/drive')
      },
    },
    {
      cause: "opening the driver's page",
      title: 'Access Denied',
      text: 'Access denied. Driver account required.',
      provoke: () => navigateTo(page, '/driver-pending'),
    },
    {
      cause: "somebody else's delivery",
      title: 'Error',
      text: 'Failed to load delivery details',
      provoke: () => navigateTo(page, `/delivery/${elsewhere}`),
    },
    {
      cause: 'a server that says no',
      title: 'Request Failed',
      text: 'Not today.',
      provoke: async () => {
        await answerOnce(page, post, 400, { error: 'Not today.' })
        await navigateTo(page, '/send')
        await fillRequest(page, { item: 'Drum' })
        await submitRequest(page)
      },
    },
    {
      cause: 'a server that says no without words',
      title: 'Request Failed',
      text: 'Failed to create delivery request',
      provoke: async () => {
        await answerOnce(page, post, 400, {})
        await page.getByRole('button', { name: 'Edit & resend' }).click()
        await submitRequest(page)
      },
    },
    {
      cause: 'a photo the provider refuses',
      title: 'Upload Failed',
      text: 'Failed to upload photo. Please try again.',
      provoke: async () => {
        await page.getByRole('button', { name: 'Edit & resend' }).click()
        await page.getByLabel('Item photo: Choose photo').setInputFiles(photo(5))
        await answerOnce(page, '**/images/upload', 400, {
          error: { message: 'Image upload failed' },
        })
        await submitRequest(page)
      },
    },
    {
      cause: 'the request that hung on it',
      title: 'Request Failed',
      text: /did not go through/,
      provoke: async () => {},
    },
    {
      cause: 'failures of the server for an hour',
      title: 'Not sent yet',
      text: /Request: Drum.*retries daily/,
      provoke: async () => {
        await page.route(post, failing)
        await page.getByRole('button', { name: 'Edit & resend' }).click()
        await submitRequest(page)
        await failForAnHour(page)
        await page.unroute(post)
      },
    },
    {
      cause: 'a request that has arrived',
      title: 'Delivery Requested',
      text: /Drum/,
      provoke: async () => {
        await navigateTo(page, '/outbox')
        // The entry's own button: the one above retries waiting entries, not deferred ones.
        const waiting = page.getByRole('region', { name: 'Waiting' })
        await waiting.getByRole('button', { name: 'Retry' }).click()
      },
    },
    {
      cause: 'cancelling',
      title: 'Status Updated',
      text: /Cancelled/,
      provoke: async () => {
        await page.goBack()
        await page.getByRole('button', { name: 'Cancel delivery' }).click()
        const sure = page.getByRole('dialog').getByRole('button', { name: 'Cancel delivery' })
        await sure.click()
      },
    },
    {
      cause: 'a new number of nine digits',
      title: 'Invalid Phone Number',
      text: 'Phone number must be exactly 10 digits.',
      provoke: async () => {
        await navigateTo(page, '/profile')
        await edit('024411122')
      },
    },
    {
      cause: 'a new number',
      title: 'Phone Updated',
      text: /0244555666/,
      provoke: async () => {
        await page.getByRole('button', { name: 'Cancel' }).click()
        await edit('0244555666')
      },
    },
    {
      cause: 'logging out',
      title: 'Logged out',
      provoke: async () => {
        await page.getByRole('button', { name: 'Logout' }).click()
      },
    },
  ])
})

/** Ten minutes pass after each failure of the request that is to be sent, until it is parked. */
async function failForAnHour(page: Page): Promise<void> {
  for (let failures = 0; ; ) {
    const entry = () => unsentRequest(page)
    const most = { timeout: 20_000 }
    await expect.poll(async () => (await entry()).failures, most).toBeGreaterThan(failures)
    const now = await entry()
    if (now.state === 'parked') return
    failures = now.failures
    await page.evaluate(passTenMinutes)
  }
}

type Entry = { op: string; state: string; failures: number }

async function unsentRequest(page: Page): Promise<Entry> {
  const unsent = ['waiting', 'sending', 'retrying', 'parked']
  const entries = (await storedRows(page, 'outbox')) as Entry[]
  const found = entries.find(({ op, state }) => op === 'createDelivery' && unsent.includes(state))
  return found ?? { op: 'createDelivery', state: 'waiting', failures: 0 }
}

/** In the page: ten minutes go by on the clock that is never set, then there is a network again. */
function passTenMinutes(): void {
  const before = performance.now.bind(performance)
  performance.now = () => before() + 10 * 60_000
  dispatchEvent(new Event('online'))
}
