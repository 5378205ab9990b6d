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
  tripTo,
} from '../../../e2e/returns/return-actions.ts'

/* A parcel that could not be handed over. The driver's share of a return is three quarters. */

const fixture = serverFixture({ env: { RETURN_SHARE: '0.75' } })
const api = serverApi(fixture)
test('R105: The code that only the sender sees proves the return on the driver’s phone', async ({
  browser,
}) => {
  const { sender, driver, made } = await tripTo(api, 'Returning')
  const page = await atRoom(browser, api, fixture(), driver, made)
  const home = await atRoom(browser, api, fixture(), sender, made)
  await page.goto(fixture().origin)
  await page.getByRole('link', { name: 'Enter code' }).click()
  const { returnCode = '' } = await api.deliveryNamed(made.itemDescription)
  const wrong = ['11111', '22222', '33333'].find(
    (each) => each !== returnCode && each !== made.deliveryCode,
  )
  await page.getByLabel('Return code').fill(wrong ?? '')
  await button(page, 'Complete Return').click()
  await expect(nextStep(page).getByText('Wrong code.', { exact: false })).toBeVisible()
  await page.getByLabel('Return code').fill(returnCode)
  await offline(page)
  await button(page, 'Complete Return').click()
  await expect(nextStep(page)).toContainText("Don't leave the parcel yet")
  await online(page)
  await expect(nextStep(page)).toContainText('Returned. Ask Ama for ₵45')
  await expect(nextStep(home)).toContainText('Your parcel is back with you')
  for (const each of [page, home]) await each.context().close()
})

test('R102: After an attempt the parcel can still be delivered, or attempted again', async ({
  browser,
}) => {
  const { sender, driver, made } = await tripTo(api, 'attempted')
  const page = await atRoom(browser, api, fixture(), driver, made)
  const home = await atRoom(browser, api, fixture(), sender, made)
  await expect(nextStep(home)).toContainText("Kofi couldn't deliver: nobody was there")
  await expect(nextStep(home)).toContainText('Kofi tries again, or can bring it back from')
  await button(page, 'Failed again').click()
  await chooseReason(page, 'The place is wrong')
  await inDialog(page, 'Report').click()
  await expect(toast(home, "Kofi couldn't deliver: the place was wrong")).toBeVisible()
  await expect(page.getByRole('region', { name: 'After the attempt' })).toContainText('2 attempts')
  await screenshot(page, 'returns-11-two-attempts')
  await page.getByLabel('Delivery code').fill(made.deliveryCode ?? '')
  await button(page, 'Complete Delivery').click()
  await expect(nextStep(page)).toContainText('₵60 waiting for approval')
  for (const each of [page, home]) await each.context().close()
})
