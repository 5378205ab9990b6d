import { expect } from '@playwright/test'
import { nextStep, toast } from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import {
  atRoom,
  button,
  endWait,
  inDialog,
  timeline,
  tripTo,
  undoOver,
} from '../../../e2e/returns/return-actions.ts'

/* What happens by itself (R106). Due times are set back in the server's database. */

const fixture = serverFixture()
const api = serverApi(fixture)

/** The time at which the server settles this delivery is over; it looks when it starts. */
async function becomeDue(id: string) {
  await api.inDatabase((client) =>
    client.query(`update deliveries set due_at = now() - interval '1 second' where id = $1`, [id]),
  )
  await fixture().server.restart()
}

test('R106: Both sides read when it is approved automatically, and that it was', async ({
  browser,
}) => {
  const { sender, driver, made } = await tripTo(api, 'Delivered', { offer: 45 })
  const page = await atRoom(browser, api, fixture(), driver, made)
  const home = await atRoom(browser, api, fixture(), sender, made)
  await expect(nextStep(home)).toContainText(
    /Approved automatically (at|on) .* unless you report a problem\./,
  )
  await expect(nextStep(page)).toContainText(
    /pays you and confirms it\. It is approved automatically (at|on) /,
  )
  await screenshot(home, 'returns-12-due-sender')
  await screenshot(page, 'returns-13-due-driver')
  await becomeDue(made.ID)
  await expect(toast(home, "Pay Kofi ₵45 if you haven't yet")).toContainText(
    'Approved automatically',
  )
  await expect(nextStep(home)).toContainText(
    "Approved automatically. Pay Kofi ₵45 if you haven't yet",
  )
  await expect(timeline(home)).toContainText('Approved automatically')
  await expect(nextStep(page)).toContainText(/Ask .* for ₵45/)
  await expect(timeline(page)).toContainText('Approved automatically')
  for (const each of [page, home]) await each.context().close()
})

test('R103, R106: A return that the server finds too early says from when on it counts; one that nobody confirms goes to an admin', async ({
  browser,
}) => {
  const { sender, driver, made } = await tripTo(api, 'attempted')
  const page = await atRoom(browser, api, fixture(), driver, made)
  const returnButton = page.getByRole('button', { name: 'Return the parcel' })
  await expect(returnButton).toBeDisabled()
  // A phone whose clock is set forward believes that the wait is over.
  await page.clock.fastForward('11:00')
  await returnButton.click()
  await undoOver(page)
  await expect(toast(page, 'Too early to return it')).toBeVisible()
  await expect(nextStep(page)).toContainText(/Too early to return it\. You can from \d\d:\d\d\./)
  await screenshot(page, 'returns-16-too-early')
  await endWait(api, made.ID)
  await returnButton.click()
  await undoOver(page)
  await expect(nextStep(page)).toContainText('Bring it back to Ama, Osu')

  const home = await atRoom(browser, api, fixture(), sender, made)
  await expect(nextStep(home)).toContainText('Your parcel is coming back')
  await becomeDue(made.ID)
  for (const each of [page, home])
    await expect(nextStep(each)).toContainText(
      'The return was not confirmed in time, so an admin decides about the payment.',
    )
  await screenshot(home, 'returns-17-unconfirmed')
  // The sender can still confirm it.
  await button(home, 'Confirm return').click()
  await inDialog(home, 'Confirm return').click()
  await expect(nextStep(home)).toContainText('Your parcel is back with you')
  for (const each of [page, home]) await each.context().close()
})
