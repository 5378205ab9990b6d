import { expect, test } from '@playwright/test'
import { nextStep, toast } from '../helpers/page/page-actions.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture } from '../helpers/server/server-fixture.ts'
import { atRoom, button, inDialog, late, timeline, tripTo, undo } from './exit-actions.ts'

/* What happens by itself: after about fifteen seconds here, looked for every twenty. The wait is 24 seconds. */

const fixture = serverFixture({ env: { WAIT_MINUTES: '0.4', AUTO_APPROVE_HOURS: '0.004' } })
const api = serverApi(fixture)
const due = { timeout: 50_000 }

test('R106: Both sides read when it is approved by itself, and that it was', async ({
  browser,
}) => {
  test.setTimeout(120_000)
  const { sender, driver, made } = await tripTo(api, 'Picked Up', { offer: 45 })
  const page = await atRoom(browser, api, fixture(), driver, made)
  const home = await atRoom(browser, api, fixture(), sender, made)
  const code = made.deliveryCode ?? ''
  await api.ask('completeDelivery', { token: driver.token, id: made.ID, body: { code } })
  await expect(nextStep(home)).toContainText(
    /Approved by itself (at|on) .* unless you report a problem\./,
  )
  await expect(nextStep(page)).toContainText(/You are paid by .* at the latest\./)
  await screenshot(home, 'exits-12-due-sender')
  await screenshot(page, 'exits-13-due-driver')
  await expect(toast(home, 'Kofi was paid ₵45')).toContainText('Approved by itself', due)
  await expect(nextStep(home)).toContainText('Approved by itself. Kofi was paid ₵45')
  await expect(timeline(home)).toContainText('Approved by itself')
  await expect(nextStep(page)).toContainText('₵45 paid to you', due)
  await expect(timeline(page)).toContainText('Approved by itself')
  for (const each of [page, home]) await each.context().close()
})

test('R108: While an issue is open nobody can approve, and both sides read that an admin decides; then they read the decision', async ({
  browser,
}) => {
  test.setTimeout(120_000)
  const { sender, driver, made } = await tripTo(api, 'Delivered', { offer: 45 })
  const body = {
    deliveryId: made.ID,
    issue: 'The lid is broken',
    type: 'sender_issue' as const,
    priority: 'medium' as const,
  }
  const { dispute } = await api.ask('createDispute', { token: sender.token, body })
  const page = await atRoom(browser, api, fixture(), driver, made)
  const home = await atRoom(browser, api, fixture(), sender, made)
  for (const each of [page, home])
    await expect(nextStep(each)).toContainText("Payment waits for an admin's decision")
  await expect(button(home, 'Approve Delivery')).toHaveCount(0)
  await screenshot(home, 'exits-14-disputed')
  await home.goto(fixture().origin)
  await expect(home.getByText("Payment waits for an admin's decision")).toBeVisible()
  await expect(button(home, 'Confirm and pay')).toHaveCount(0)
  await home.goto(`${fixture().origin}/delivery/${made.ID}`)

  const decision = {
    status: 'resolved' as const,
    resolution: 'Each bears a part.',
    decision: 'split' as const,
    driverShare: 20,
  }
  await api.asAdmin('resolveDispute', { id: dispute.ID, body: decision })
  await expect(nextStep(home)).toContainText('Decided: Kofi gets ₵20, ₵25 comes back to you.', late)
  await expect(nextStep(page)).toContainText('Decided: ₵20 paid to you', late)
  for (const each of [page, home]) {
    const decided = each.getByRole('region', { name: 'Decision' })
    await expect(decided).toContainText('Each bears a part.')
  }
  await screenshot(page, 'exits-15-decided')
  for (const each of [page, home]) await each.context().close()
})

test('R103, R106: A return that the server finds too early says from when on it counts; one that nobody confirms goes to an admin', async ({
  browser,
}) => {
  test.setTimeout(180_000)
  const { sender, driver, made } = await tripTo(api, 'attempted')
  const attemptedAt = Date.now()
  const page = await atRoom(browser, api, fixture(), driver, made)
  const returnButton = page.getByRole('button', { name: 'Return the parcel' })
  await expect(returnButton).toBeDisabled()
  // A phone whose clock is set forward believes that the wait is over.
  await page.evaluate(() => {
    const real = Date.now
    Date.now = () => real() + 60_000
  })
  await expect(returnButton).toBeEnabled()
  await returnButton.click()
  await expect(toast(page, 'Too early to return it')).toBeVisible(late)
  await expect(nextStep(page)).toContainText(/Too early to return it\. You can from \d\d:\d\d\./)
  await screenshot(page, 'exits-16-too-early')
  await page.reload()
  await page.waitForTimeout(Math.max(0, attemptedAt + 26_000 - Date.now()))
  await returnButton.click()
  await expect(undo(page)).toHaveCount(0, late)
  await expect(nextStep(page)).toContainText('Bring it back to Ama, Osu')

  const home = await atRoom(browser, api, fixture(), sender, made)
  await expect(nextStep(home)).toContainText('Your parcel is coming back')
  for (const each of [page, home])
    await expect(nextStep(each)).toContainText(
      'The return was not confirmed in time, so an admin decides about the payment.',
      due,
    )
  await screenshot(home, 'exits-17-unconfirmed')
  // The sender can still confirm it.
  await button(home, 'Confirm return').click()
  await inDialog(home, 'Confirm return').click()
  await expect(nextStep(home)).toContainText('Your parcel is back with you', late)
  for (const each of [page, home]) await each.context().close()
})
