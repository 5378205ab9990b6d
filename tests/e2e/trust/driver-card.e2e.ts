import { expect, type Page, test } from '@playwright/test'
import { atRoom, late, tripTo } from '../exits/exit-actions.ts'
import { openPhone } from '../helpers/page/open-phone.ts'
import { offline, online, openJob, toast } from '../helpers/page/page-actions.ts'
import { photo } from '../helpers/photo.ts'
import { type Account, serverApi } from '../helpers/server/server-api.ts'
import { serverFixture } from '../helpers/server/server-fixture.ts'
import { looksRight } from './looks.ts'

const fixture = serverFixture()
const api = serverApi(fixture)

const dayIn = (days: number) =>
  new Date(Date.now() + days * 24 * 60 * 60_000).toISOString().slice(0, 10)

const licensed = (driver: Account, days: number, photoUrl?: string) =>
  api.ask('changeDriverCard', {
    token: driver.token,
    body: { licenceNumber: 'GC-4471', licenceExpires: dayIn(days), photo: photoUrl },
  })

const to = async (page: Page, path: string) => page.goto(`${fixture().origin}${path}`)

test('R113, R114: A sender sees the driver’s card, with an average from three ratings on, also offline', async ({
  browser,
}) => {
  test.setTimeout(150_000)
  const driver = await api.createDriver('Kofi Card')
  const trip = async (stars?: number) => {
    const sender = await api.createAccount('Ama Card', 'sender')
    const made = await api.createDelivery(sender, { itemDescription: 'A lamp' })
    const { token } = sender
    if (stars === undefined) return { sender, made }
    await api.completeDelivery(driver, made)
    await api.ask('changeStatus', { token, id: made.ID, body: { status: 'Approved' } })
    await api.ask('rateDelivery', { token, id: made.ID, body: { stars } })
    return { sender, made }
  }
  await trip(5)
  await trip(4)
  await licensed(driver, 200, await api.uploadPhoto())
  const { sender, made } = await trip()
  await api.acceptDelivery(driver, made.ID)
  const home = await atRoom(browser, api, fixture(), sender, made)
  const card = home.getByRole('region', { name: 'Driver' })
  await expect(card).toContainText('Kofi')
  await expect(card).toContainText('2 deliveries · since')
  await expect(card).toContainText('Courier licence GC-4471, valid until')
  await expect(card).not.toContainText('ratings')
  const portrait = card.getByRole('img', { name: 'Photo of Kofi' })
  await expect
    .poll(() => portrait.evaluate((img: HTMLImageElement) => img.naturalWidth))
    .toBeGreaterThan(0)
  await offline(home)
  await home.reload()
  await expect(card).toContainText('2 deliveries · since')
  await expect
    .poll(() => portrait.evaluate((img: HTMLImageElement) => img.naturalWidth))
    .toBeGreaterThan(0)
  await online(home)

  const code = made.deliveryCode ?? ''
  const { token } = driver
  await api.ask('changeStatus', { token, id: made.ID, body: { status: 'Picked Up' } })
  await api.ask('completeDelivery', { token, id: made.ID, body: { code } })
  await api.ask('changeStatus', { token: sender.token, id: made.ID, body: { status: 'Approved' } })
  await api.ask('rateDelivery', { token: sender.token, id: made.ID, body: { stars: 5 } })
  await expect(card).toContainText('4.7 (3 ratings)', late)
  await looksRight(home, 'trust-3-driver-card')
  await home.context().close()
})

test('R114: A driver changes photo and licence offline; they are sent later, and the licence can be removed', async ({
  browser,
}) => {
  test.setTimeout(150_000)
  const { driver, made } = await tripTo(api, 'Accepted')
  const page = await atRoom(browser, api, fixture(), driver, made)
  await to(page, '/profile')
  const card = page.getByRole('region', { name: 'Your card' })
  await expect(card).toContainText('Kofi')
  await offline(page)
  await card.getByRole('button', { name: 'Add courier licence' }).click()
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(card).toContainText('Enter the licence number.')
  await card.getByLabel('Courier licence number').fill('GC-9')
  await card.getByLabel('Valid until').fill(dayIn(-1))
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(card).toContainText('This day is over.')
  await looksRight(page, 'trust-4-licence-form')
  await card.getByLabel('Valid until').fill(dayIn(20))
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(card).toContainText('Courier licence GC-9, valid until')
  await expect(card).toContainText("Not sent yet · sends when you're online")
  await card.getByRole('button', { name: 'Add a photo' }).click()
  await card.getByLabel('Your photo: Choose photo').setInputFiles(photo(7))
  await expect(card.getByRole('img', { name: 'Your photo' })).toBeVisible()
  await online(page)
  await expect(card).not.toContainText('Not sent yet', late)
  await expect(card.getByRole('img', { name: 'Photo of Kofi' })).toBeVisible()
  await expect(card).toContainText('Your courier licence ends in 20 days')
  await looksRight(page, 'trust-5-your-card')

  await card.getByRole('button', { name: 'Edit licence' }).click()
  await card.getByRole('button', { name: 'Remove licence' }).click()
  await expect(card.getByRole('button', { name: 'Add courier licence' })).toBeVisible()
  await expect(card).not.toContainText('Not sent yet', late)
  const { user } = await api.ask('me', { token: driver.token })
  expect(user.licence).toBeUndefined()
  expect(user.photo).toMatch(/[0-9a-f]{64}\./)
  await page.context().close()
})

test('R114: Drive warns 20 days ahead; an expired licence refuses the job until there is a new one', async ({
  browser,
}) => {
  test.setTimeout(150_000)
  const { sender, made } = await tripTo(api, 'Delivered', { itemDescription: 'Old parcel' })
  await api.ask('changeStatus', { token: sender.token, id: made.ID, body: { status: 'Approved' } })
  const driver = await api.createDriver('Yaw Licence')
  await licensed(driver, 20)
  await api.createDelivery(sender, { itemDescription: 'A kettle' })
  const phone = await openDrive(browser, driver)
  await expect(phone.getByText('Your courier licence ends in 20 days')).toBeVisible()
  await looksRight(phone, 'trust-6-ends-soon')

  await licensed(driver, -1)
  await expect(phone.getByText(/Your courier licence expired on/)).toBeVisible(late)
  await expect(phone.getByText('You cannot accept jobs until you enter the new one.')).toBeVisible()
  await looksRight(phone, 'trust-7-expired')
  const sheet = await openJob(phone, 'A kettle')
  await sheet.getByRole('button', { name: 'Accept Job' }).click()
  await expect(toast(phone, 'Cannot Accept')).toContainText('Your courier licence has expired.')
  expect((await api.deliveryNamed('A kettle')).status).toBe('Pending')
  await phone.keyboard.press('Escape')

  await offline(phone)
  await phone.getByRole('link', { name: 'Enter your new licence' }).click()
  const card = phone.getByRole('region', { name: 'Your card' })
  await card.getByRole('button', { name: 'Edit licence' }).click()
  await card.getByLabel('Valid until').fill(dayIn(400))
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(card).toContainText('You cannot accept jobs until your new one is sent.')
  await online(phone)
  await expect(card.getByText('You cannot accept jobs')).toHaveCount(0, late)
  await phone.context().close()
})

async function openDrive(browser: Parameters<typeof openPhone>[0], driver: Account) {
  const phone = await openPhone(browser, api, driver, {
    origin: fixture().origin,
    viewport: { width: 360, height: 740 },
    serviceWorkers: 'allow',
  })
  await phone.evaluate(() => navigator.serviceWorker.ready)
  await to(phone, '/drive')
  return phone
}
