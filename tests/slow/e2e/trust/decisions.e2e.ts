import { expect } from '@playwright/test'
import { navigateTo } from '../../../e2e/helpers/page/open-phone.ts'
import { card, nextStep, offline, online } from '../../../e2e/helpers/page/page-actions.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { atRoom, button, tripTo } from '../../../e2e/returns/return-actions.ts'
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

test('R107, R108: An admin splits the offer with the evidence beside it, and both sides read reason and sums', async ({
  browser,
}) => {
  const trip = await tripTo(api, 'Picked Up', { offer: 60 })
  const { sender, driver, made } = trip
  const { token } = driver
  const photo = await api.uploadPhoto()
  const attempt = { reason: 'absent' as const, note: 'I rang three times', photo }
  await api.ask('reportAttempt', { token, id: made.ID, body: attempt })
  const code = made.deliveryCode ?? ''
  await api.ask('completeDelivery', { token, id: made.ID, body: { code } })
  const dispute = await disputeOf(trip)
  const page = await atRoom(browser, api, fixture(), driver, made)
  const home = await atRoom(browser, api, fixture(), sender, made)
  for (const each of [page, home])
    await expect(nextStep(each)).toContainText("Payment waits for an admin's decision")
  await expect(button(home, 'Confirm and pay')).toHaveCount(0)
  await navigateTo(home, '/')
  await expect(card(home, made.itemDescription)).toContainText(
    "Payment waits for an admin's decision",
  )
  await expect(button(home, 'Confirm and pay')).toHaveCount(0)
  await navigateTo(home, `/delivery/${made.ID}`)

  const desk = await atDispute(browser, dispute)
  const incidents = desk.getByRole('region', { name: 'Incidents' })
  await expect(incidents).toContainText("Couldn't deliver: nobody was there")
  await expect(incidents).toContainText('I rang three times')
  const hash = /([0-9a-f]{64})\./.exec(photo)?.[1] ?? 'no hash'
  await expect(incidents).toContainText(`SHA-256 ${hash.slice(0, 8)}…${hash.slice(-4)}`)
  await expect(incidents).toContainText('Received at')
  await button(desk, 'Resolve dispute').click()
  await expect(desk.getByText('Please choose what happens to the money.')).toBeVisible()
  await choose(desk, 'Split')
  const share = desk.getByLabel("Driver's part in cedis")
  for (const wrong of ['', '60.01', '-1', '1.234', 'ten']) {
    await share.fill(wrong)
    await button(desk, 'Resolve dispute').click()
    await expect(desk.getByRole('dialog')).toHaveCount(0)
    await expect(share).toHaveAttribute('aria-invalid', 'true')
  }
  await share.fill('40')
  await expect(desk.getByText('Driver ₵40.00 · Sender ₵20.00')).toBeVisible()
  await desk.getByLabel('Reason').fill('The lid was cracked before.')
  await button(desk, 'Resolve dispute').click()
  const sure = desk.getByRole('dialog', { name: 'Split?' })
  await expect(sure).toContainText(
    'Ama Sender pays Kofi Driver ₵40.00. The delivery becomes Cancelled.',
  )
  await sure.getByRole('button', { name: 'Resolve dispute' }).click()
  await expect(desk.getByText(/^Resolved on/)).toBeVisible()
  await expect(desk.getByText('Split: Driver ₵40.00 · Sender ₵20.00')).toBeVisible()

  await expect(nextStep(home)).toContainText('Decided: You pay Kofi ₵40, not ₵60.')
  await expect(nextStep(page)).toContainText(/Decided: ask \S+ for ₵40/)
  for (const [side, sums] of [
    [home, ['Driver', '₵40.00', 'You', '₵20.00']],
    [page, ['You', '₵40.00', 'Sender', '₵20.00']],
  ] as const) {
    const decision = side.getByRole('region', { name: 'Decision' })
    await expect(decision).toContainText('The lid was cracked before.')
    for (const text of sums) await expect(decision).toContainText(text)
  }
  const parts = (await api.ledger(made.ID)).filter(({ pesewas }) => pesewas > 0)
  expect(parts).toContainEqual(expect.objectContaining({ pesewas: 4_000 }))
  expect(parts).toContainEqual(expect.objectContaining({ pesewas: 2_000 }))
  for (const each of [page, home, desk]) await each.context().close()
})
