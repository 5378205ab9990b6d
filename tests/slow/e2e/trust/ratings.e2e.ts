import { expect } from '@playwright/test'
import { nextStep, offline, online } from '../../../e2e/helpers/page/page-actions.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { atRoom, tripTo, undoOver } from '../../../e2e/returns/return-actions.ts'

const fixture = serverFixture()
const api = serverApi(fixture)

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
