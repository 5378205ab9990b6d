import { expect, type Page, test } from '@playwright/test'
import { answerOnce, expectToasts, failing } from '../helpers/page/expect-toasts.ts'
import { navigateTo, openPhone } from '../helpers/page/open-phone.ts'
import { acceptJob, card, openJob } from '../helpers/page/page-actions.ts'
import { type Account, serverApi } from '../helpers/server/server-api.ts'
import { serverFixture } from '../helpers/server/server-fixture.ts'

/* Every toast that drivers see, with what causes it.  */

const fixture = serverFixture()
const api = serverApi(fixture)

let page: Page
let ama: Account
let yaw: Account

// Each test has many steps.
test.describe.configure({ timeout: 180_000 })
test.beforeAll(async () => {
  ama = await api.createDriver('Ama Driver')
  yaw = await api.createDriver('Yaw Driver')
})
test.afterEach(() => page.context().close())

test('Toasts of a driver who is not approved', async ({ browser }) => {
  const kwesi = await api.createAccount('Kwesi Waiting', 'driver')
  page = await openPhone(browser, api, kwesi, { origin: fixture().origin })
  const check = () => page.getByRole('button', { name: 'Check Approval Status' }).click()
  await expectToasts(page, [
    {
      cause: 'opening Drive',
      title: 'Driver Approval Required',
      provoke: () => navigateTo(page, '/drive'),
    },
    {
      cause: 'a check that fails',
      title: 'Error',
      text: 'Failed to check status.',
      provoke: async () => {
        await navigateTo(page, '/driver-pending')
        await page.route('**/api/driver/status', failing)
        await check()
      },
    },
  ])
})

test('Toasts of an approved driver', async ({ browser }) => {
  // What can be undone leaves ten seconds later.
  test.setTimeout(120_000)
  const yaa = await api.createAccount('Yaa Mensah', 'sender')
  const made = await api.createDelivery(yaa, { itemDescription: 'Wall clock' })
  const nana = await api.createAccount('Nana Osei', 'sender')
  const taken = await api.createDelivery(nana, {
    itemDescription: 'Two drums',
    pickupZone: 'Circle',
  })
  const fails = (on: Page) => on.route('**/api/driver/available-deliveries*', failing)
  page = await openPhone(browser, api, ama, { origin: fixture().origin, prepare: fails })
  const accept = () => page.getByRole('button', { name: 'Accept Job' }).click()
  const find = async (from?: string, to?: string) => {
    if (from) await page.getByLabel('Current zone').selectOption(from)
    if (to) await page.getByLabel('Destination zone').selectOption(to)
    await page.getByRole('button', { name: 'Find Deliveries' }).click()
  }
  const enter = async (code: string) => {
    await page.getByLabel('Delivery code').fill(code)
    await page.getByRole('button', { name: 'Complete Delivery' }).click()
  }
  const code = made.deliveryCode ?? ''
  await expectToasts(page, [
    {
      cause: 'a list that cannot be had',
      title: 'Error',
      text: 'Failed to load available deliveries',
      provoke: () => navigateTo(page, '/drive'),
    },
    {
      cause: 'no zones chosen',
      title: 'Select Zones',
      text: 'Please select both your current and destination zones.',
      provoke: async () => {
        await page.unrouteAll()
        await page.reload()
        await page.getByRole('button', { name: 'All routes' }).click()
        await find()
      },
    },
    {
      cause: 'the same zone twice',
      title: 'Invalid Zones',
      text: 'Current and destination zones cannot be the same.',
      provoke: () => find('Osu', 'Osu'),
    },
    {
      cause: 'a route without jobs',
      title: 'No deliveries found',
      text: /your route/,
      plain: true,
      provoke: () => find('Tesano', 'Legon Campus'),
    },
    {
      cause: 'a job somebody else took',
      title: 'Cannot Accept',
      text: 'Another driver got this job first.',
      provoke: async () => {
        await page.getByRole('button', { name: 'Show all routes' }).click()
        const sheet = await openJob(page, 'Two drums')
        await expect(sheet.getByRole('button', { name: 'Accept Job' })).toBeVisible()
        // Its stream of events is cut as well: the job stays in the list.
        fixture().proxy.set({ kind: 'cut' })
        await page.context().setOffline(true)
        await api.acceptDelivery(yaw, taken.ID)
        await accept()
        await page.waitForURL(/\/delivery\//)
        fixture().proxy.set({ kind: 'fine' })
        await page.context().setOffline(false)
      },
    },
    {
      cause: 'accepting',
      title: 'Delivery Accepted',
      text: /Wall clock/,
      provoke: async () => {
        await navigateTo(page, '/drive')
        await acceptJob(page, 'Wall clock')
      },
    },
    {
      cause: 'a second job',
      title: 'Cannot Accept',
      text: 'You already have an active delivery. Please complete it first.',
      provoke: async () => {
        const esi = await api.createAccount('Esi Quaye', 'sender')
        const { ID } = await api.createDelivery(esi, { itemDescription: 'Sack of rice' })
        await navigateTo(page, '/drive')
        await page.reload()
        await expect(card(page, 'Sack of rice')).toBeVisible()
        // Its sheet in the list has no such button; its own screen has.
        await navigateTo(page, `/delivery/${ID}`)
        await accept()
      },
    },
    {
      cause: 'a step the server refuses',
      title: 'Error',
      text: 'Failed to update status',
      provoke: async () => {
        await answerOnce(page, `**/api/deliveries/${made.ID}/status`, 400, {})
        await navigateTo(page, `/delivery/${made.ID}`)
        await page.getByRole('button', { name: 'Mark as Picked Up' }).click()
      },
    },
    {
      cause: 'picking up',
      title: 'Status Updated',
      text: /Picked Up/,
      provoke: () => page.getByRole('button', { name: 'Mark as Picked Up' }).click(),
    },
    {
      cause: 'a wrong code, once its room was left',
      title: 'Error',
      text: 'Wrong code. Check it with the recipient.',
      provoke: async () => {
        await page.context().setOffline(true)
        await enter(code === '00000' ? '11111' : '00000')
        await navigateTo(page, '/drive')
        await page.context().setOffline(false)
      },
    },
    {
      cause: 'the right code',
      title: 'Delivery completed',
      provoke: async () => {
        await navigateTo(page, `/delivery/${made.ID}`)
        await enter(code)
      },
    },
    {
      cause: "copying the sender's number",
      title: 'Copied',
      provoke: async () => {
        await page.context().grantPermissions(['clipboard-write'])
        await page.getByRole('button', { name: 'Copy sender phone' }).click()
      },
    },
  ])
})
