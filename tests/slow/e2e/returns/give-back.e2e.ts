import { expect } from '@playwright/test'
import { nextStep, offline, online, toast } from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import {
  atRoom,
  button,
  chooseReason,
  inDialog,
  timeline,
  tripTo,
} from '../../../e2e/returns/return-actions.ts'

/* Out of a job before its item was picked up. */

const fixture = serverFixture()
const api = serverApi(fixture)

test('R101, R99: A driver gives the job back offline, the sender reads why, and another driver takes it', async ({
  browser,
}) => {
  const { sender, driver, made } = await tripTo(api, 'Accepted', { itemDescription: 'Drum kit' })
  const page = await atRoom(browser, api, fixture(), driver, made, { serviceWorkers: 'allow' })
  const home = await atRoom(browser, api, fixture(), sender, made)
  await expect(nextStep(home)).toContainText('Kofi is coming to Osu')

  await offline(page)
  await button(page, 'Give the job back').click()
  await inDialog(page, 'Give the job back').click()
  await expect(page.getByRole('dialog')).toContainText('Please choose a reason.')
  await chooseReason(page, 'Something else')
  await inDialog(page, 'Give the job back').click()
  await expect(page.getByRole('dialog')).toContainText('Please say why.')
  await page.getByLabel('In your own words').fill('My daughter is ill')
  await screenshot(page, 'returns-1-give-back')
  await inDialog(page, 'Give the job back').click()
  await expect(nextStep(page)).toContainText('Giving the job back…')
  await screenshot(page, 'returns-2-giving-back')
  await expect(button(page, 'Accept Job')).toHaveCount(0)
  expect((await api.deliveryNamed('Drum kit')).status).toBe('Accepted')
  await online(page)
  await Promise.all([
    expect(toast(page, 'Job given back')).toContainText('on offer again'),
    expect(toast(home, 'Your delivery is on offer again')).toContainText(
      'Kofi gave the job back: My daughter is ill.',
    ),
  ])
  await expect(page).toHaveURL(/\/drive$/)

  await expect(nextStep(home)).toContainText('Waiting for a driver')
  await expect(nextStep(home)).toContainText(
    'Kofi gave the job back: My daughter is ill. It is on offer again.',
  )
  await expect(timeline(home)).toContainText('Given back by Kofi')
  await screenshot(home, 'returns-3-on-offer-again')

  const yaw = await api.createDriver('Yaw Driver')
  await api.acceptDelivery(yaw, made.ID)
  await expect(nextStep(home)).toContainText('Yaw is coming to Osu')
  await expect(timeline(home).getByRole('listitem')).toContainText([
    'Pending',
    'Given back by Kofi',
    'Accepted',
    'Picked Up',
    'Delivered',
    'Approved',
  ])
  for (const each of [page, home]) await each.context().close()
})

test('R27, R99, R161: A sender cancels a job that a driver has accepted and says why; the driver is told, and all is refunded', async ({
  browser,
}) => {
  const { sender, driver, made } = await tripTo(api, 'Accepted', { offer: 80 })
  const page = await atRoom(browser, api, fixture(), driver, made)
  const home = await atRoom(browser, api, fixture(), sender, made)
  await button(home, 'Cancel delivery').click()
  await expect(home.getByRole('dialog')).toContainText('Kofi is told not to come')
  await expect(home.getByRole('dialog')).toContainText(
    'You owe nothing once their phone has confirmed.',
  )
  await chooseReason(home, 'Something else')
  await home.getByLabel('In your own words').fill('My sister takes it')
  await screenshot(home, 'cancel-4-reason')
  await inDialog(home, 'Cancel delivery').click()
  await expect(toast(page, 'Ama cancelled: My sister takes it')).toBeVisible()
  await expect(nextStep(page)).toContainText('This job was cancelled')
  await expect(nextStep(page)).toContainText('Ama: My sister takes it')
  await expect(timeline(page)).toContainText('Ama: My sister takes it')
  await expect(timeline(home)).toContainText('You: My sister takes it')
  await expect(button(page, 'Give the job back')).toHaveCount(0)
  await expect(nextStep(home)).toContainText('Cancelled')
  const lines = await api.ledger(made.ID)
  expect(lines.filter(({ kind }) => kind === 'refund')).toEqual([
    { kind: 'refund', account: `promised:${made.ID}`, pesewas: -8_000 },
    { kind: 'refund', account: `sender:${sender.id}`, pesewas: 8_000 },
  ])
  for (const each of [page, home]) await each.context().close()
})

test('R101: The screen of a job that was given back leaves for Drive, also where it never showed that as pending', async ({
  browser,
}) => {
  const { driver, made } = await tripTo(api, 'Accepted')
  const page = await atRoom(browser, api, fixture(), driver, made)
  await expect(button(page, 'Give the job back')).toBeVisible()
  // On another phone of theirs: as here where the response comes before the screen is drawn again.
  const body = { reason: 'My vehicle broke down' }
  await api.ask('releaseJob', { token: driver.token, id: made.ID, body })
  await expect(page).toHaveURL(/\/drive$/)
  await page.context().close()
})
