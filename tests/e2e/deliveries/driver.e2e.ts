import { expect, type Page, test } from '@playwright/test'
import {
  acceptJob,
  card,
  logIn,
  newPhone,
  nextStep,
  offline,
  online,
  openJob,
  pill,
  toast,
} from '../helpers/page/page-actions.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { installed } from '../helpers/page/worker.ts'
import { count } from '../helpers/server/network.ts'
import { type Account, serverApi } from '../helpers/server/server-api.ts'
import { serverFixture } from '../helpers/server/server-fixture.ts'

/* A driver's jobs, online and offline, and a job that another driver took first. */

const fixture = serverFixture()
const api = serverApi(fixture)
const jobs = { laptop: 'Laptop in a sleeve', drums: 'Two drums', cloth: 'Bale of cloth' }

let ama: Account
let yaw: Account

test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  const senders = ['Akua Addo', 'Efua Ofori', 'Nana Osei'].map((name) =>
    api.createAccount(name, 'sender'),
  )
  const [akua, efua, nana] = await Promise.all(senders)
  if (!akua || !efua || !nana) throw new Error('Three senders are needed')
  sender = akua
  await api.createDelivery(akua, { itemDescription: jobs.laptop, offer: 120.5 })
  await api.createDelivery(efua, { itemDescription: jobs.drums, dropoffZone: 'Madina', offer: 90 })
  await api.createDelivery(nana, { itemDescription: jobs.cloth, pickupZone: 'Circle', offer: 35 })
  ama = await api.createDriver('Ama Driver')
  yaw = await api.createDriver('Yaw Driver')
})
let sender: Account

test('A driver sees the available jobs, and those of one route', async ({ page }) => {
  await atDrive(page, ama)
  for (const item of Object.values(jobs)) await expect(card(page, item)).toBeVisible()
  await expect(card(page, jobs.laptop)).toContainText('₵120.50')
  await expect(page.getByText('3 jobs')).toBeVisible()
  await screenshot(page, 'driver-1-jobs')
  await page.getByRole('button', { name: 'Newest' }).click()
  await expect(page.getByRole('button', { name: 'Best paid' })).toBeVisible()
  await expect(page.getByRole('article').first()).toHaveAccessibleName(jobs.laptop)

  await page.getByRole('button', { name: 'All routes' }).click()
  await page.getByRole('button', { name: 'Find Deliveries' }).click()
  await expect(
    page.getByText('Please select both your current and destination zones.').first(),
  ).toBeVisible()
  await screenshot(page, 'driver-2-zones-missing')
  await chooseRoute(page, 'Osu', 'Madina')
  await expect(card(page, jobs.drums)).toBeVisible()
  await expect(card(page, jobs.laptop)).toBeHidden()
  await page.getByRole('button', { name: 'Swap the route' }).click()
  await expect(page.getByRole('button', { name: 'Madina → Osu' })).toBeVisible()
  await page.getByRole('button', { name: 'Madina → Osu' }).click()
  await chooseRoute(page, 'Tesano', 'Legon Campus')
  // The list of the route before was empty too.
  await expect(page.getByRole('button', { name: 'Tesano → Legon Campus' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No deliveries found' })).toBeVisible()
  await expect(page.locator('#main').getByText('on your route')).toBeVisible()
  await screenshot(page, 'driver-3-none-on-route')
  await page.reload()
  await expect(page.getByRole('button', { name: 'Tesano → Legon Campus' })).toBeVisible()
  await page.getByRole('button', { name: 'Show all routes' }).click()
  await expect(card(page, jobs.laptop)).toBeVisible()
})

test('R24: A job accepted offline is shown as requested; when another driver was first, the phone says so', async ({
  page,
}) => {
  await atDrive(page, ama)
  await expect(card(page, jobs.cloth)).toBeVisible()
  await offline(page)
  await acceptJob(page, jobs.cloth)
  await expect(nextStep(page)).toContainText('Requesting this job…')
  await expect(nextStep(page)).toContainText(
    "Not confirmed yet. We'll request it when you're online.",
  )
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  await expect(pill(page)).toHaveText('Offline · 1 waiting')
  await screenshot(page, 'driver-4-requesting')
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'My Active Delivery' })).toBeVisible()
  const sheet = await openJob(page, jobs.laptop)
  await expect(sheet).toContainText('You already have an active delivery.')
  await expect(sheet.getByRole('button', { name: 'Accept Job' })).toBeHidden()
  await screenshot(page, 'driver-5-one-at-a-time')
  await sheet.getByRole('button', { name: 'Close' }).click()

  await api.acceptDelivery(yaw, (await api.deliveryNamed(jobs.cloth)).ID)
  await online(page)
  await expect(toast(page, 'Cannot Accept')).toContainText('Another driver got this job first.', {
    timeout: 20_000,
  })
  await screenshot(page, 'driver-6-somebody-was-first')
  await expect(page.getByRole('heading', { name: 'My Active Delivery' })).toBeHidden()
  await expect(
    (await openJob(page, jobs.laptop)).getByRole('button', { name: 'Accept Job' }),
  ).toBeVisible()
  expect(await api.deliveryNamed(jobs.cloth)).toMatchObject({
    driver: { id: yaw.id },
    status: 'Accepted',
  })

  await page.goto(`${fixture().origin}/outbox`)
  const refused = page.getByRole('article', { name: `Accept: ${jobs.cloth}` })
  await expect(refused).toContainText('Another driver got this job first.')
  await screenshot(page, 'driver-7-outbox-refused')
})

test('R25: A driver accepts, picks up offline, enters a wrong code, then delivers; the sender approves', async ({
  page,
  browser,
}) => {
  // Three steps wait ten seconds each in which they can be undone.
  test.setTimeout(180_000)
  const before = await api.revenue()
  await atDrive(page, ama)
  await acceptJob(page, jobs.laptop)
  await expect.poll(() => statusOf(jobs.laptop), { timeout: 20_000 }).toBe('Accepted')
  await expect(nextStep(page)).toContainText('Pick up from Akua in Osu')
  await expect(page.getByRole('link', { name: 'Directions to Osu' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Sender' })).toContainText('Akua Addo')
  await screenshot(page, 'driver-8-room-accepted')

  await offline(page)
  await page.getByRole('button', { name: 'Mark as Picked Up' }).click()
  await expect(nextStep(page)).toContainText("Pickup not sent yet · sends when you're online")
  await screenshot(page, 'driver-9-picked-up-offline')
  expect(await statusOf(jobs.laptop)).toBe('Accepted')
  await online(page)
  await expect.poll(() => statusOf(jobs.laptop), undoable).toBe('Picked Up')
  await expect(nextStep(page)).not.toContainText('not sent yet')

  const { ID: id, deliveryCode: code = '' } = await api.deliveryNamed(jobs.laptop)
  await enterCode(page, code === '00000' ? '11111' : '00000')
  await expect(wrongCode(page)).toBeVisible()
  await expect(page.locator('[data-toast]')).toHaveCount(0)
  await screenshot(page, 'driver-10-wrong-code')
  expect(await statusOf(jobs.laptop)).toBe('Picked Up')

  await offline(page)
  await enterCode(page, code)
  await expect(nextStep(page).getByRole('heading')).toHaveText("Don't hand over yet")
  await screenshot(page, 'driver-11-code-saved')
  // Until the server has confirmed the end the job is the active one.
  await page.goto(`${fixture().origin}/drive`)
  await expect(page.getByRole('heading', { name: 'My Active Delivery' })).toBeVisible()
  await expect(card(page, jobs.laptop)).toContainText("Don't hand over yet")
  await screenshot(page, 'driver-11b-still-active')
  await card(page, jobs.laptop)
    .getByRole('link', { name: `Open ${jobs.laptop}` })
    .click()
  await online(page)
  await expect.poll(() => statusOf(jobs.laptop)).toBe('Delivered')
  await expect(nextStep(page)).toContainText('₵120.50 waiting for approval')
  await screenshot(page, 'driver-12-delivered')

  const home = await newPhone(browser, fixture().origin)
  await logIn(home, sender)
  await expect(card(home, jobs.laptop)).toContainText('Handed over. Confirm to pay Ama ₵120.50')
  await card(home, jobs.laptop).getByRole('button', { name: 'Confirm and pay' }).click()
  await home.getByRole('button', { name: 'Approve and pay' }).click()
  await expect(toast(page, 'You were paid ₵120.50')).toBeVisible(undoable)
  expect(await statusOf(jobs.laptop)).toBe('Approved')
  await expect(card(home, jobs.laptop)).toBeHidden()
  await screenshot(home, 'driver-13-sender-approved')
  await home.context().close()

  expect(await api.revenue()).toBe(before + 120.5)
  expect(await api.ledger(id)).toEqual([
    { kind: 'hold', account: `sender:${sender.id}`, pesewas: -12_050 },
    { kind: 'hold', account: `escrow:${id}`, pesewas: 12_050 },
    { kind: 'release', account: `escrow:${id}`, pesewas: -12_050 },
    { kind: 'release', account: `driver:${ama.id}`, pesewas: 12_050 },
  ])
})

test('R60: After five wrong codes the sixth has to wait', async ({ page }) => {
  await atDrive(page, ama)
  const { ID: id, deliveryCode: code = '' } = await api.deliveryNamed(jobs.drums)
  await api.acceptDelivery(ama, id)
  await page.goto(`${fixture().origin}/delivery/${id}`)
  await page.getByRole('button', { name: 'Mark as Picked Up' }).click()
  await expect.poll(() => statusOf(jobs.drums), undoable).toBe('Picked Up')
  const wrong = wrongCode(page)
  const tried = () => count(fixture().proxy.requests, `POST /api/driver/deliveries/${id}/complete`)
  for (let tries = 1; tries <= 5; tries++) {
    await expect(async () => {
      // A form that went away while it was filled in has sent nothing.
      if (tried() < tries) await enterCode(page, code === '00000' ? '11111' : '00000')
      await expect.poll(tried, { timeout: 3_000 }).toBe(tries)
    }).toPass()
    await expect(wrong).toBeVisible()
  }
  await expect(async () => {
    if (tried() < 6) await enterCode(page, code)
    await expect.poll(tried, { timeout: 3_000 }).toBe(6)
  }).toPass()
  await expect(nextStep(page)).toContainText('Please wait')
  await expect(pill(page)).toHaveText('1 waiting')
  await screenshot(page, 'driver-14-too-many-codes')
  await page.goto(`${fixture().origin}/outbox`)
  const waiting = page.getByRole('region', { name: 'Waiting' })
  await expect(waiting.getByRole('article')).toHaveText(/Too many attempts, retrying at/)
  await screenshot(page, 'driver-15-outbox-too-many')
  expect(await statusOf(jobs.drums)).toBe('Picked Up')
})

async function atDrive(page: Page, driver: Account) {
  await page.goto(fixture().origin)
  // What is first shown offline must have been stored.
  await installed(page)
  await logIn(page, driver)
  await expect(page.getByRole('heading', { name: 'Find Deliveries' })).toBeVisible()
}

async function chooseRoute(page: Page, from: string, to: string) {
  await page.getByLabel('Current zone').selectOption(from)
  await page.getByLabel('Destination zone').selectOption(to)
  await page.getByRole('button', { name: 'Find Deliveries' }).click()
}

/** The form goes while a code is on its way and comes back empty when it was wrong: then it is typed again. */
async function enterCode(page: Page, code: string) {
  await expect(async () => {
    await page.getByLabel('Delivery code').fill(code, { timeout: 2_000 })
    await page.getByRole('button', { name: 'Complete Delivery' }).click({ timeout: 2_000 })
  }).toPass()
}

/** What can be undone for ten seconds arrives after them (R99). */
const undoable = { timeout: 20_000 }
const wrongCode = (page: Page) =>
  nextStep(page).getByText('Wrong code. Check it with the recipient.', { exact: true })
const statusOf = async (item: string) => (await api.deliveryNamed(item)).status
