import { expect } from '@playwright/test'
import { nextStep, offline, online, toastAfter } from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { atRoom, tripTo, undo, undoOver } from '../../../e2e/returns/return-actions.ts'

const fixture = serverFixture()
const api = serverApi(fixture)

test('R113, R99: Each side rates the other once, offline and with an undo, and reads what the other gave', async ({
  browser,
}) => {
  const { sender, driver, made } = await tripTo(api, 'Delivered')
  const home = await atRoom(browser, api, fixture(), sender, made)
  const ratings = home.getByRole('region', { name: 'Ratings' })
  await expect(ratings).toHaveCount(0)
  await api.ask('changeStatus', { token: sender.token, id: made.ID, body: { status: 'Approved' } })
  await expect(ratings.getByRole('heading', { name: 'How was it with Kofi?' })).toBeVisible()
  await expect(ratings.getByRole('button', { name: 'Send rating' })).toHaveCount(0)

  await offline(home)
  await ratings.getByRole('radio', { name: '3 stars' }).focus()
  await home.keyboard.press('Space')
  await home.keyboard.press('ArrowRight')
  await expect(ratings.getByRole('radio', { name: '4 stars' })).toBeChecked()
  await ratings.getByLabel('In a few words (optional)').fill('Careful with the box')
  await ratings.getByRole('button', { name: 'Send rating' }).click()
  await expect(ratings).toContainText('You gave 4 stars')
  await undo(home).click()
  await expect(ratings.getByRole('heading', { name: 'How was it with Kofi?' })).toBeVisible()

  await ratings
    .locator('label')
    .filter({ has: home.getByLabel('5 stars') })
    .click()
  await ratings.getByLabel('In a few words (optional)').fill('Careful with the box')
  await ratings.getByRole('button', { name: 'Send rating' }).click()
  await expect(ratings).toContainText('You gave 5 stars')
  await expect(ratings).toContainText('Not sent yet')
  await undoOver(home)
  // What is beside the delivery does not change what is said of it.
  await expect(nextStep(home)).toContainText('Approved')
  await toastAfter(home, 'Thank you', () => online(home))
  await expect(ratings).not.toContainText('Not sent yet')

  const page = await atRoom(browser, api, fixture(), driver, made)
  const received = page.getByRole('region', { name: 'Ratings' })
  await expect(received).toContainText('Ama gave you 5 stars')
  await expect(received).toContainText('Careful with the box')
  await received
    .locator('label')
    .filter({ has: page.getByLabel('2 stars') })
    .click()
  await received.getByRole('button', { name: 'Send rating' }).click()
  await undoOver(page)
  await expect(ratings).toContainText('Kofi gave you 2 stars')
  await expect(received.getByRole('radio')).toHaveCount(0)
  for (const [name, room] of Object.entries({ sender: home, driver: page })) {
    await expect(room.getByText(/hidden once a delivery has ended\.$/)).toBeVisible()
    await expect(room.getByRole('link', { name: /^(Call|WhatsApp) / })).toHaveCount(
      name === 'sender' ? 2 : 0,
    )
    await screenshot(room, `ended-${name}`)
  }
  for (const each of [home, page]) await each.context().close()
})

test('R113: A rating that the server has already from another phone is told as such', async ({
  browser,
}) => {
  const { sender, made } = await tripTo(api, 'Delivered')
  const { token } = sender
  await api.ask('changeStatus', { token, id: made.ID, body: { status: 'Approved' } })
  const home = await atRoom(browser, api, fixture(), sender, made)
  const ratings = home.getByRole('region', { name: 'Ratings' })
  await offline(home)
  await ratings
    .locator('label')
    .filter({ has: home.getByLabel('1 star', { exact: true }) })
    .click()
  await ratings.getByRole('button', { name: 'Send rating' }).click()
  await api.ask('rateDelivery', { token, id: made.ID, body: { stars: 5 } })
  await undoOver(home)
  await online(home)
  await expect(home.getByText('You have rated this delivery already.').first()).toBeVisible()
  await expect(ratings).toContainText('You gave 5 stars')
  await nextStep(home).getByRole('button', { name: 'Dismiss' }).click()
  await expect(nextStep(home)).not.toContainText('You have rated this delivery already.')
  await home.context().close()
})
