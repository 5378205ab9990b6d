import { type Browser, expect } from '@playwright/test'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { type Account, serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { atRoom, type Trip, tripTo } from '../../../e2e/returns/return-actions.ts'
import { looksRight } from '../looks-right.ts'

/* How ratings, the driver's card and decisions look (R107, R113, R114). */

const fixture = serverFixture()
const api = serverApi(fixture)

async function approved(): Promise<Trip> {
  const trip = await tripTo(api, 'Delivered')
  const about = { token: trip.sender.token, id: trip.made.ID }
  await api.ask('changeStatus', { ...about, body: { status: 'Approved' } })
  return trip
}

const dayIn = (days: number) =>
  new Date(Date.now() + days * 24 * 60 * 60_000).toISOString().slice(0, 10)

async function licensed(driver: Account, days: number) {
  const body = {
    licenceNumber: 'GC-4471',
    licenceExpires: dayIn(days),
    photo: await api.uploadPhoto(),
  }
  await api.ask('changeDriverCard', { token: driver.token, body })
  if (days >= 0) await api.asAdmin('reviewDriver', { id: driver.id, body: { licence: 'accepted' } })
}

async function phoneAt(browser: Browser, person: Pick<Account, 'token'>, path: string) {
  const page = await openPhone(browser, api, person, { origin: fixture().origin })
  await navigateTo(page, path)
  return page
}

test('Ratings are legible, large enough and accessible', async ({ browser }) => {
  const { sender, driver, made } = await approved()
  const home = await atRoom(browser, api, fixture(), sender, made)
  const ratings = home.getByRole('region', { name: 'Ratings' })
  await ratings
    .locator('label')
    .filter({ has: home.getByLabel('4 stars') })
    .click()
  await ratings.getByLabel('In a few words (optional)').fill('Careful with the box')
  await looksRight(home, 'trust-1-rating-form')
  const about = { token: sender.token, id: made.ID }
  await api.ask('rateDelivery', { ...about, body: { stars: 5, words: 'Careful with the box' } })
  const page = await atRoom(browser, api, fixture(), driver, made)
  await expect(page.getByRole('region', { name: 'Ratings' })).toContainText('Ama gave you 5 stars')
  // The link to the next job stands below the page's landmark.
  await looksRight(page, 'trust-2-rated', 'main')
  for (const each of [home, page]) await each.context().close()
})

test('The driver’s card is legible, large enough and accessible', async ({ browser }) => {
  const { sender, driver, made } = await tripTo(api, 'Accepted')
  await licensed(driver, 20)
  const home = await atRoom(browser, api, fixture(), sender, made)
  await expect(home.getByRole('region', { name: 'Driver' })).toContainText('GC-4471')
  await looksRight(home, 'trust-3-driver-card')
  const page = await phoneAt(browser, driver, '/profile')
  const card = page.getByRole('region', { name: 'Your card' })
  await expect(card).toContainText('Your courier licence ends in 20 days')
  await looksRight(page, 'trust-5-your-card')
  await card.getByRole('button', { name: 'Edit licence' }).click()
  await card.getByLabel('Valid until').fill(dayIn(-1))
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(card).toContainText('This day is over.')
  await looksRight(page, 'trust-4-licence-form')
  for (const each of [home, page]) await each.context().close()
})

test('The warnings of Drive about a licence are legible, large enough and accessible', async ({
  browser,
}) => {
  const driver = await api.createDriver('Yaw Licence')
  await licensed(driver, 20)
  const page = await phoneAt(browser, driver, '/drive')
  await expect(page.getByText('Your courier licence ends in 20 days')).toBeVisible()
  await looksRight(page, 'trust-6-ends-soon')
  await licensed(driver, -1)
  await expect(page.getByText(/Your courier licence expired on/)).toBeVisible()
  await looksRight(page, 'trust-7-expired')
  await page.context().close()
})
