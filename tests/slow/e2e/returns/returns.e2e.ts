import { expect, type Page } from '@playwright/test'
import { nextStep, offline, online, toast } from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { photo } from '../../../e2e/helpers/photo.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import {
  atRoom,
  button,
  chooseReason,
  inDialog,
  timeline,
  tripTo,
  undo,
  undoOver,
} from '../../../e2e/returns/return-actions.ts'

/* A parcel that could not be handed over. The driver's share of a return is three quarters. */

const fixture = serverFixture({ env: { RETURN_SHARE: '0.75' } })
const api = serverApi(fixture)
const minute = 60_000

const returnButton = (page: Page) => page.getByRole('button', { name: 'Return the parcel' })

/** The parcel was asked for and picked up this many minutes before now: nothing counts as done before that (R133). */
const pickedUp = (id: string, minutes: number) =>
  api.inDatabase((client) =>
    client.query(
      `update deliveries set created_at = $2::timestamptz, history =
         jsonb_set(history, array[(jsonb_array_length(history) - 1)::text, 'at'], to_jsonb($2::text))
       where id = $1`,
      [id, new Date(Date.now() - minutes * minute).toISOString()],
    ),
  )

test('R102, R103, R104, R105: An attempt, its wait over a reload, and the return, all offline; the sender confirms it and both read the sums', async ({
  browser,
}) => {
  const { sender, driver, made } = await tripTo(api, 'Picked Up', { offer: 60 })
  await pickedUp(made.ID, 20)
  // The attempt happens 15 minutes ago, so that its wait is over when the server hears of it.
  const page = await atRoom(browser, api, fixture(), driver, made, {
    serviceWorkers: 'allow',
    clock: new Date(Date.now() - 15 * minute),
  })
  const home = await atRoom(browser, api, fixture(), sender, made)

  await offline(page)
  await button(page, "I can't deliver").click()
  await inDialog(page, 'Report').click()
  await expect(page.getByRole('dialog')).toContainText('Please choose what happened.')
  await chooseReason(page, 'Nobody is there')
  await page.getByLabel('Note (optional)').fill('I knocked three times')
  await page.getByLabel('Photo (optional): Choose photo').setInputFiles(photo())
  await expect(page.getByRole('img', { name: 'What you saw' })).toBeVisible()
  await screenshot(page, 'returns-4-report')
  await inDialog(page, 'Report').click()
  await expect(returnButton(page)).toBeDisabled()
  await page.reload()
  await expect(nextStep(page)).toContainText("Report not sent yet · sends when you're online")
  await expect(page.getByLabel('Delivery code')).toBeVisible()
  await screenshot(page, 'returns-6-waiting')
  const card = page.getByRole('region', { name: 'After the attempt' })
  const whileWaiting = await card.boundingBox()
  await page.clock.fastForward(10 * minute)
  await expect(returnButton(page)).toBeEnabled()
  expect((await card.boundingBox())?.height).toBe(whileWaiting?.height)
  await returnButton(page).click()
  await expect(nextStep(page)).toContainText('Bring it back to Ama, Osu')
  await expect(nextStep(page)).toContainText('Return not sent yet · you can still undo it')
  await screenshot(page, 'returns-6b-undo')
  await undo(page).click()
  await returnButton(page).click()
  await undoOver(page)
  await expect(nextStep(page)).toContainText("Return not sent yet · sends when you're online")
  expect((await api.deliveryNamed(made.itemDescription)).attempts).toBeUndefined()

  await online(page)
  await expect(toast(home, 'Kofi')).toBeVisible()
  await expect(nextStep(home)).toContainText('Your parcel is coming back: confirm when you have it')
  await expect(nextStep(home)).toContainText('GH₵ 45.00')
  await expect(nextStep(home)).toContainText('GH₵ 15.00')
  await expect(timeline(home)).toContainText('Not delivered: nobody was there')
  await expect(timeline(home)).toContainText('I knocked three times')
  await expect(timeline(home).getByRole('img', { name: 'From the driver' })).toBeVisible()
  await screenshot(home, 'returns-7-coming-back')
  await expect(nextStep(page)).toContainText('Bring it back to Ama, Osu')
  await expect(nextStep(page)).toContainText('Ama confirms the return, or tells you the return')
  await expect(page.getByRole('link', { name: 'Directions to Osu' })).toBeVisible()
  await screenshot(page, 'returns-8-bring-back')
  // The code is the sender's alone (R50).
  const { returnCode = '' } = await api.deliveryNamed(made.itemDescription)
  await expect(home.getByTestId('return-code')).toHaveText(returnCode)
  await expect(page.getByText(returnCode)).toHaveCount(0)

  await button(home, 'Confirm return').click()
  await expect(home.getByRole('dialog')).toContainText('You pay Kofi GH₵ 45.00, not GH₵ 60.00.')
  await inDialog(home, 'Confirm return').click()
  await Promise.all([
    expect(toast(home, 'Return confirmed')).toBeVisible(),
    expect(toast(page, 'Return confirmed, ask Ama for ₵45')).toBeVisible(),
  ])
  await expect(nextStep(home)).toContainText('Your parcel is back with you')
  await expect(nextStep(home)).toContainText('You pay Kofi ₵45, not ₵60.')
  await expect(timeline(home)).toContainText('Returned to the sender')
  await expect(nextStep(page)).toContainText('Returned. Ask Ama for ₵45')
  await screenshot(home, 'returns-9-returned')

  await page.goto(`${fixture().origin}/deliveries`)
  await expect(page.getByRole('region', { name: 'Earnings' })).toContainText('GH₵ 45.00')
  await expect(page.getByRole('article', { name: made.itemDescription })).toContainText('Returned')
  await screenshot(page, 'returns-10-earnings')
  expect(await api.deliveryNamed(made.itemDescription)).toMatchObject({
    status: 'Cancelled',
    outcome: 'returned',
    driverShare: 45,
  })
  for (const each of [page, home]) await each.context().close()
})

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
