import { type Browser, expect } from '@playwright/test'
import { openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { offline, online } from '../../../e2e/helpers/page/page-actions.ts'
import { photo } from '../../../e2e/helpers/photo.ts'
import { type Account, serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { atRoom } from '../../../e2e/returns/return-actions.ts'

const fixture = serverFixture()
const api = serverApi(fixture)

const dayIn = (days: number) =>
  new Date(Date.now() + days * 24 * 60 * 60_000).toISOString().slice(0, 10)

/** A licence that an admin has looked at; one that is over counts at once (R139). */
async function licensed(driver: Account, days: number, photoUrl?: string) {
  await api.ask('changeDriverCard', {
    token: driver.token,
    body: { licenceNumber: 'GC-4471', licenceExpires: dayIn(days), photo: photoUrl },
  })
  if (days >= 0) await accepted(driver)
}

const accepted = ({ id }: Account) =>
  api.asAdmin('reviewDriver', { id, body: { licence: 'accepted' } })

test('R113, R114: A sender sees the driver’s card, with an average from three ratings on, also offline', async ({
  browser,
}) => {
  const driver = await api.createDriver('Kofi Card')
  const sender = await api.createAccount('Ama Card', 'sender')
  const rate = async (by: Account, id: string, stars: number) => {
    const about = { token: by.token, id }
    await api.ask('changeStatus', { ...about, body: { status: 'Approved' } })
    await api.ask('rateDelivery', { ...about, body: { stars } })
  }
  for (const stars of [5, 4]) {
    // One rating counts for a pair of people in 30 days (R137).
    const other = await api.createAccount(`Efua ${stars}`, 'sender')
    const before = await api.createDelivery(other, {})
    await api.completeDelivery(driver, before)
    await rate(other, before.ID, stars)
  }
  await licensed(driver, 200, await api.uploadPhoto())
  const made = await api.createDelivery(sender, { itemDescription: 'A lamp' })
  await api.acceptDelivery(driver, made.ID)
  const home = await atRoom(browser, api, fixture(), sender, made, { serviceWorkers: 'allow' })
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
  await rate(sender, made.ID, 5)
  await expect(card).toContainText('4.7 (3 ratings)')
  await home.context().close()
})

test('R114: A driver changes photo and licence offline; they are sent later, and the licence can be removed', async ({
  browser,
}) => {
  const driver = await api.createDriver('Kofi Driver')
  const page = await phoneAt(browser, driver, '/profile')
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
  await card.getByLabel('Valid until').fill(dayIn(20))
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(card).toContainText('New courier licence GC-9, not checked yet')
  await expect(card).toContainText("Not sent yet · sends when you're online")
  await card.getByRole('button', { name: 'Add a photo' }).click()
  await card.getByLabel('Your photo: Choose photo').setInputFiles(photo(7))
  await expect(card.getByRole('img', { name: 'Your photo' })).toBeVisible()
  await online(page)
  await expect(card).not.toContainText(/Not sent yet|Sending…/)
  await expect(card.getByRole('img', { name: 'Photo of Kofi' })).toBeVisible()
  await expect(card).toContainText('New courier licence GC-9, not checked yet')
  await accepted(driver)
  await expect(card).toContainText('Your courier licence ends in 20 days')

  await card.getByRole('button', { name: 'Edit licence' }).click()
  await card.getByRole('button', { name: 'Remove licence' }).click()
  await expect(card.getByRole('button', { name: 'Add courier licence' })).toBeVisible()
  await expect(card).not.toContainText(/Not sent yet|Sending…/)
  const { user } = await api.ask('me', { token: driver.token })
  expect(user.licence).toBeUndefined()
  expect(user.photo).toMatch(/[0-9a-f]{64}\./)
  await page.context().close()
})

/** A driver's phone with its worker, at this path. */
const phoneAt = (browser: Browser, driver: Account, path: string) =>
  openPhone(browser, api, driver, {
    origin: `${fixture().origin}${path}`,
    serviceWorkers: 'allow',
  })
