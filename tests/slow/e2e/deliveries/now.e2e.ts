import { expect, type Page } from '@playwright/test'
import { openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { card } from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

const fixture = serverFixture()
const api = serverApi(fixture)

/** Two pictures of a phone's screen: what is under the thumb must be the same on both. */
const places = (page: Page) =>
  page
    .getByRole('article')
    .evaluateAll((all) =>
      all.map((each) => [each.ariaLabel, Math.round(each.getBoundingClientRect().top)]),
    )

test('Jobs stay where they are while others come and go; four fit on a phone', async ({
  browser,
}) => {
  const senders = await Promise.all(
    Array.from({ length: 8 }, (_, at) => api.createAccount(`Sender ${at}`, 'sender')),
  )
  for (const [at, sender] of senders.entries())
    await api.createDelivery(sender, { itemDescription: `Parcel ${at}`, offer: 40 + at })
  const page = await openPhone(browser, api, await api.createDriver('Kofi Mensah'), {
    origin: `${fixture().origin}/drive`,
  })
  await expect(page.getByText('8 jobs')).toBeVisible()
  const tabBar = (await page.getByRole('navigation', { name: 'Tabs' }).boundingBox())?.y ?? 0
  const fourth = await page.getByRole('article').nth(3).boundingBox()
  expect((fourth?.y ?? 0) + (fourth?.height ?? 0)).toBeLessThanOrEqual(tabBar)
  await screenshot(page, 'now-1-four-jobs')

  await card(page, 'Parcel 2').scrollIntoViewIfNeeded()
  const before = await places(page)
  const late = await api.createAccount('Late Sender', 'sender')
  await api.createDelivery(late, { itemDescription: 'Late parcel' })
  const taken = await api.deliveryNamed('Parcel 7')
  await api.acceptDelivery(await api.createDriver('Yaw Other'), taken.ID)
  await expect(page.getByRole('button', { name: '1 new job' })).toBeVisible()
  await expect(card(page, 'Parcel 7')).toContainText('Not available')
  expect(await places(page)).toEqual(before)
  await screenshot(page, 'now-2-one-new-job')

  await page.getByRole('button', { name: '1 new job' }).click()
  await expect(card(page, 'Late parcel')).toBeVisible()
  await page.context().close()
})
