import { expect } from '@playwright/test'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { atRoom, button, tripTo } from '../../../e2e/returns/return-actions.ts'

/* Out of a job before its item was picked up. */

const fixture = serverFixture()
const api = serverApi(fixture)

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
