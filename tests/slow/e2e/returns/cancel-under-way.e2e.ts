import { expect } from '@playwright/test'
import { expectAccessible } from '../../../e2e/helpers/page/expect-accessible.ts'
import { nextStep, offline, online } from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { atRoom, button, inDialog, tripTo } from '../../../e2e/returns/return-actions.ts'

/* Two sides that disagree about a pick-up. */

const fixture = serverFixture()
const api = serverApi(fixture)

test('R123, R124: A job that its driver picked up without a network is cancelled: the money waits for the driver’s phone, and then for support', async ({
  browser,
}) => {
  const { sender, driver, made } = await tripTo(api, 'Accepted', { offer: 80 })
  // The tests' own leaps put a phone ahead of the server, and a pick-up after the cancel does not count.
  const page = await atRoom(browser, api, fixture(), driver, made, {
    serviceWorkers: 'allow',
    clock: new Date(Date.now() - 60_000),
  })
  const home = await atRoom(browser, api, fixture(), sender, made)
  await offline(page)
  await button(page, 'Mark as Picked Up').click()
  await expect(nextStep(page)).toContainText('Pickup not sent yet')

  await button(home, 'Cancel delivery').click()
  await inDialog(home, 'Cancel delivery').click()
  await expect(nextStep(home)).toContainText(
    "Cancelled. You owe nothing once the driver's phone has confirmed.",
  )
  await screenshot(home, 'cancel-1-held')

  await online(page)
  for (const each of [page, home])
    await expect(nextStep(each)).toContainText('Cancelled. Support decides about ₵80')
  await screenshot(home, 'cancel-2-claimed-sender')
  await screenshot(page, 'cancel-3-claimed-driver')
  await expectAccessible(home, 'cancelled, sender')
  await expectAccessible(page, 'cancelled, driver')
  const { disputes } = await api.asAdmin('adminDisputes', {})
  expect(disputes.filter(({ DeliveryID }) => DeliveryID === made.ID)).toMatchObject([
    { status: 'open', type: 'driver_issue' },
  ])
  for (const each of [page, home]) await each.context().close()
})

test('R125: A sender says offline that the item was not picked up, and may request another', async ({
  browser,
}) => {
  const { sender, made } = await tripTo(api, 'Picked Up')
  const home = await atRoom(browser, api, fixture(), sender, made, { serviceWorkers: 'allow' })
  await offline(home)
  await button(home, 'Not picked up?').click()
  await inDialog(home, 'It was not picked up').click()
  await expect(home.getByRole('dialog')).toContainText('Please say what happened.')
  await home.getByLabel('What happened?').fill('He never came, I still have it')
  await screenshot(home, 'contest-1-form')
  await inDialog(home, 'It was not picked up').click()
  await expect(nextStep(home)).toContainText('You said it was not picked up')
  await screenshot(home, 'contest-2-offline')
  await online(home)
  await expect(nextStep(home)).not.toContainText('Not sent yet')
  await expectAccessible(home, 'contested pick-up')
  await api.createDelivery(sender, { itemDescription: 'The same again' })
  await home.context().close()
})
