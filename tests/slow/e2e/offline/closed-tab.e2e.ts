import { expect } from '@playwright/test'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { atRoom, button, tripTo, undo } from '../../../e2e/returns/return-actions.ts'

const fixture = serverFixture()
const api = serverApi(fixture)

test('S76: Of a tab that is closed three seconds after a rating, the worker sends the rating once it cannot be undone any more', async ({
  browser,
}) => {
  const { sender, made } = await tripTo(api, 'Delivered', { itemDescription: 'Guitar' })
  const { token } = sender
  await api.ask('changeStatus', { token, id: made.ID, body: { status: 'Approved' } })
  const page = await atRoom(browser, api, fixture(), sender, made, { serviceWorkers: 'allow' })
  const context = page.context()
  // Whatever is closed next, the browser goes on.
  await context.newPage()
  await page
    .locator('label')
    .filter({ has: page.getByLabel('5 stars') })
    .click()
  const ratedFrom = Date.now()
  await button(page, 'Send rating').click()
  await expect(undo(page)).toContainText('(7)')
  await page.close()
  const given = async () => (await api.deliveryNamed('Guitar')).ratings?.sender
  expect(await given()).toBeUndefined()
  // The browser alone would start the worker again after five minutes.
  await expect.poll(given).toMatchObject({ stars: 5 })
  expect(Date.now() - ratedFrom).toBeGreaterThanOrEqual(10_000)
  await context.close()
})
