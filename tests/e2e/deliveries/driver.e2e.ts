import { expect, type Page } from '@playwright/test'
import { navigateTo, openPhone } from '../helpers/page/open-phone.ts'
import {
  acceptJob,
  card,
  nextStep,
  offline,
  online,
  openJob,
  pill,
  seesOffline,
  toast,
} from '../helpers/page/page-actions.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { type Account, serverApi } from '../helpers/server/server-api.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'

/* A driver's jobs, online and offline, and a job that another driver took first. */

const fixture = serverFixture()
const api = serverApi(fixture)
const jobs = { laptop: 'Laptop in a sleeve', drums: 'Two drums', cloth: 'Bale of cloth' }

let sender: Account
let ama: Account
let yaw: Account
/** Ama's phone, in all tests. */
let page: Page

test.describe.configure({ mode: 'serial' })
test.beforeAll(async ({ browser }) => {
  const senders = ['Akua Addo', 'Efua Ofori', 'Nana Osei'].map((name) =>
    api.createAccount(name, 'sender'),
  )
  const [akua, efua, nana] = await Promise.all(senders)
  if (!akua || !efua || !nana) throw new Error('Three senders are needed')
  sender = akua
  await api.createDelivery(akua, { itemDescription: jobs.laptop, offer: 120.5 })
  await api.createDelivery(efua, { itemDescription: jobs.drums, dropoffZone: 'Madina', offer: 90 })
  await api.createDelivery(nana, { itemDescription: jobs.cloth, pickupZone: 'Circle', offer: 35 })
  await api.inDatabase((client) =>
    client.query('update deliveries set fee_percent = 10 where item_description = $1', [
      jobs.cloth,
    ]),
  )
  ama = await api.createDriver('Ama Driver')
  yaw = await api.createDriver('Yaw Driver')
  page = await openPhone(browser, api, ama, { origin: `${fixture().origin}/drive`, clock: true })
})
test.afterAll(() => page.context().close())

test('R174: A driver sees the available jobs, those of one route, and what is left of the fee', async () => {
  for (const item of Object.values(jobs)) await expect(card(page, item)).toBeVisible()
  await expect(card(page, jobs.laptop)).toContainText('₵120.50')
  await expect(page.getByText('3 jobs')).toBeVisible()
  await screenshot(page, 'driver-1-jobs')
  await page.getByRole('button', { name: 'Newest' }).click()
  await expect(page.getByRole('button', { name: 'Best paid' })).toBeVisible()
  await expect(page.getByRole('article').first()).toHaveAccessibleName(jobs.laptop)
  await expect(page.getByRole('article').first().getByRole('button').first()).toHaveAccessibleName(
    /^Open Laptop in a sleeve, Osu to Tema, \d+ \w+$/,
  )

  await page.getByRole('button', { name: 'Your way' }).click()
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
  await page.getByRole('button', { name: 'All jobs' }).click()
  await expect(card(page, jobs.laptop)).toBeVisible()
  const sheet = await openJob(page, jobs.cloth)
  await expect(sheet).toContainText('You get ₵31.50 (₵35 less 10 % fee)')
  await sheet.getByRole('button', { name: 'Close' }).click()
})

test('R24: A job accepted offline is shown as requested; when another driver was first, the phone says so', async () => {
  await navigateTo(page, '/drive')
  await expect(card(page, jobs.cloth)).toBeVisible()
  await offline(page)
  await acceptJob(page, jobs.cloth)
  await expect(nextStep(page)).toContainText('Requesting this job…')
  await expect(nextStep(page)).toContainText(
    "Not confirmed yet. We'll request it when you're online.",
  )
  await seesOffline(page)
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
  await expect(toast(page, 'Cannot Accept')).toContainText('Another driver got this job first.')
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
  // There is nothing to do but to go on.
  await expect(refused.getByRole('button', { name: 'Dismiss' })).toBeVisible()
  await refused.getByRole('link', { name: `Accept: ${jobs.cloth}` }).click()
  await expect(nextStep(page)).toContainText('Another driver got this job first.')
  await page.getByRole('link', { name: 'Find next job' }).click()
  await expect(page).toHaveURL(/\/drive/)
  await expect(pill(page)).toBeHidden()
})

test('R25, R126: A driver accepts, picks up offline, enters a wrong code, then delivers; the sender approves with a tip', async ({
  browser,
}) => {
  const before = await api.revenue()
  await navigateTo(page, '/drive')
  await acceptJob(page, jobs.laptop)
  await expect.poll(() => statusOf(jobs.laptop)).toBe('Accepted')
  await expect(nextStep(page)).toContainText('Pick up from Akua in Osu')
  await expect(page.getByRole('link', { name: 'Directions to Osu' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Sender' })).toContainText('Akua')
  await screenshot(page, 'driver-8-room-accepted')

  await offline(page)
  await page.getByRole('button', { name: 'Mark as Picked Up' }).click()
  await expect(nextStep(page)).toContainText("Pickup not sent yet · sends when you're online")
  await expect(nextStep(page).getByRole('heading', { name: /^Deliver to/ })).toBeFocused()
  await screenshot(page, 'driver-9-picked-up-offline')
  expect(await statusOf(jobs.laptop)).toBe('Accepted')
  await online(page)
  await expect.poll(() => statusOf(jobs.laptop)).toBe('Picked Up')
  await expect(nextStep(page)).not.toContainText('not sent yet')

  const { ID: id, deliveryCode: code = '' } = await api.deliveryNamed(jobs.laptop)
  // The toasts of the steps before are gone.
  await page.clock.fastForward(5_000)
  await enterCode(page, wrongFor(code))
  await expect(wrongCode(page)).toBeVisible()
  await expect(page.getByLabel('Delivery code')).toBeFocused()
  await expect(page.locator('[data-toast]')).toHaveCount(0)
  await screenshot(page, 'driver-10-wrong-code')
  expect(await statusOf(jobs.laptop)).toBe('Picked Up')

  await offline(page)
  await enterCode(page, code)
  await expect(nextStep(page).getByRole('heading')).toHaveText("Don't hand over yet")
  await screenshot(page, 'driver-11-code-saved')
  // Until the server has confirmed the end the job is the active one.
  await page.goBack()
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

  const { origin } = fixture()
  const home = await openPhone(browser, api, sender, { origin, clock: true })
  await expect(card(home, jobs.laptop)).toContainText('Handed over. Pay Ama ₵120.50 and confirm')
  await card(home, jobs.laptop).getByRole('button', { name: 'Confirm and pay' }).click()
  await offline(home)
  const question = home.getByRole('dialog', { name: /^Pay Ama ₵/ })
  await expect(question.getByLabel('No tip')).toBeChecked()
  await question.getByLabel('Another amount in cedis').fill('121')
  await expect(question).toContainText('A tip is from ₵0 to ₵120.50')
  await question.getByText('Mobile money', { exact: true }).click()
  await expect(question.getByRole('button', { name: "I've paid" })).toBeDisabled()
  await screenshot(home, 'driver-12b-tip-too-large')
  await question.getByText('₵10', { exact: true }).click()
  await expect(question).toContainText('GH₵ 120.50 and a tip of GH₵ 10.00 go to Ama.')
  await expect(question.getByRole('heading')).toHaveText('Pay Ama ₵130.50')
  await expect(question).toContainText(`Send GH₵ 130.50 to ${ama.phone}`)
  await screenshot(home, 'driver-12c-tip')
  await question.getByRole('button', { name: "I've paid" }).click()
  await online(home)
  await expect(
    toast(page, 'Akua says you were paid ₵120.50 and a tip of ₵10 by mobile money'),
  ).toBeVisible()
  expect(await statusOf(jobs.laptop)).toBe('Approved')
  await expect(card(home, jobs.laptop)).toBeHidden()
  await screenshot(home, 'driver-13-sender-approved')
  await home.context().close()

  expect(await api.revenue()).toBe(before + 120.5)
  expect(await api.ledger(id)).toEqual([
    { kind: 'hold', account: `sender:${sender.id}`, pesewas: -12_050 },
    { kind: 'hold', account: `promised:${id}`, pesewas: 12_050 },
    { kind: 'payout', account: `owed:${id}`, pesewas: -13_050 },
    { kind: 'payout', account: `driver:${ama.id}`, pesewas: 13_050 },
    { kind: 'release', account: `promised:${id}`, pesewas: -12_050 },
    { kind: 'release', account: `owed:${id}`, pesewas: 12_050 },
    { kind: 'tip-hold', account: `sender:${sender.id}`, pesewas: -1_000 },
    { kind: 'tip-hold', account: `promised:${id}`, pesewas: 1_000 },
    { kind: 'tip-release', account: `promised:${id}`, pesewas: -1_000 },
    { kind: 'tip-release', account: `owed:${id}`, pesewas: 1_000 },
  ])
})

test('R60: After five wrong codes the sixth has to wait', async ({ browser }) => {
  const { ID: id, deliveryCode: code = '' } = await api.deliveryNamed(jobs.cloth)
  const about = { token: yaw.token, id }
  await api.ask('changeStatus', { ...about, body: { status: 'Picked Up' } })
  for (let tries = 1; tries <= 5; tries++) {
    const body = { code: wrongFor(code) }
    await expect(api.ask('completeDelivery', { ...about, body })).rejects.toThrow()
  }
  const { origin } = fixture()
  const page = await openPhone(browser, api, yaw, { origin })
  await navigateTo(page, `/delivery/${id}`)
  await enterCode(page, code)
  await expect(nextStep(page)).toContainText('Too many tries. It is sent again at')
  await expect(nextStep(page).getByRole('link', { name: /^Call/ })).toBeVisible()
  await expect(pill(page)).toHaveText('1 waiting')
  await screenshot(page, 'driver-14-too-many-codes')
  await page.goto(`${origin}/outbox`)
  const waiting = page.getByRole('region', { name: 'Waiting' })
  await expect(waiting.getByRole('article')).toHaveText(/Too many attempts, retrying at/)
  await screenshot(page, 'driver-15-outbox-too-many')
  expect(await statusOf(jobs.cloth)).toBe('Picked Up')
  await page.context().close()
})

async function chooseRoute(page: Page, from: string, to: string) {
  await page.getByLabel('Current zone').selectOption(from)
  await page.getByLabel('Destination zone').selectOption(to)
  await page.getByRole('button', { name: 'Find Deliveries' }).click()
}

async function enterCode(page: Page, code: string) {
  await page.getByLabel('Delivery code').fill(code)
  await page.getByRole('button', { name: 'Complete Delivery' }).click()
}

const wrongFor = (code: string) => (code === '00000' ? '11111' : '00000')
const wrongCode = (page: Page) =>
  nextStep(page).getByText('Wrong code. Check it with the recipient. 4 tries left.', {
    exact: true,
  })
const statusOf = async (item: string) => (await api.deliveryNamed(item)).status
