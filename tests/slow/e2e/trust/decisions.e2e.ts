import { expect } from '@playwright/test'
import { offline, online } from '../../../e2e/helpers/page/page-actions.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { button, tripTo } from '../../../e2e/returns/return-actions.ts'
import { choose, decisionActions } from '../../../e2e/trust/decision-actions.ts'

const fixture = serverFixture()
const api = serverApi(fixture)

const { disputeOf, atDispute } = decisionActions(fixture, api)

test('R107: A decision that another admin was faster with is refused, and says so', async ({
  browser,
}) => {
  const trip = await tripTo(api, 'Delivered', { offer: 60 })
  const dispute = await disputeOf(trip)
  const desk = await atDispute(browser, dispute)
  await offline(desk)
  await choose(desk, 'Sender pays nothing')
  await desk.getByLabel('Reason').fill('Not as agreed.')
  await button(desk, 'Resolve dispute').click()
  const sure = desk.getByRole('dialog', { name: 'Sender pays nothing?' })
  await expect(sure).toContainText('Ama Sender pays Kofi Driver nothing.')
  await sure.getByRole('button', { name: 'Resolve dispute' }).click()
  await expect(desk.getByText('Resolved · not confirmed yet')).toBeVisible()
  await expect(desk.getByText('Sender pays nothing: Driver ₵0.00 · Sender ₵60.00')).toBeVisible()
  const body = { status: 'resolved', resolution: 'It was fine.', decision: 'release' } as const
  await api.asAdmin('resolveDispute', { id: dispute, body })
  await online(desk)
  const refused = desk.getByRole('alert').filter({ hasText: 'Your decision was not saved' })
  await expect(refused).toContainText('This dispute is already resolved.')
  await expect(refused).toContainText('Not as agreed.')
  await expect(desk.getByText('Sender pays in full: Driver ₵60.00 · Sender ₵0.00')).toBeVisible()
  await refused.getByRole('button', { name: 'Dismiss' }).click()
  await expect(refused).toHaveCount(0)
  await desk.context().close()
})
