import { expect, type Page } from '@playwright/test'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import {
  card,
  codeShown,
  fillRequest,
  kofi,
  nextStep,
  submitRequest,
} from '../../../e2e/helpers/page/page-actions.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import {
  bringToReturn,
  button,
  endWait,
  inDialog,
  tripTo,
  undo,
  undoOver,
} from '../../../e2e/returns/return-actions.ts'

/* Ten seconds to undo one's own taps (R99). The others are with what they are about. */

const fixture = serverFixture()
const api = serverApi(fixture)

test('R99: picking up, confirming a return and approving can be undone for ten seconds and leave after them', async ({
  browser,
}) => {
  const { sender, driver, made } = await tripTo(api, 'Accepted')
  const { origin } = fixture()
  const page = await openPhone(browser, api, driver, { origin, clock: true })
  const home = await openPhone(browser, api, sender, { origin, clock: true })

  /** Taps on this screen, or on the card of Home; takes it back, and taps again. */
  const taps = (
    at: Page,
    { ID, itemDescription: item }: Delivery,
    where: 'room' | 'card',
    [first, sure]: [first: string, sure: string],
    status: Delivery['status'],
  ) =>
    test.step(`${first}, in the ${where}`, async () => {
      await navigateTo(at, where === 'room' ? `/delivery/${ID}` : '/')
      const tap = async () => {
        const on = where === 'card' ? card(at, item) : at
        await on.getByRole('button', { name: first, exact: true }).click()
        await inDialog(at, sure).click()
      }
      const before = await api.deliveryNamed(item)
      await tap()
      await undo(at).click()
      await expect(undo(at)).toHaveCount(0)
      await tap()
      await expect(undo(at)).toBeVisible()
      expect(await api.deliveryNamed(item)).toEqual(before)
      await undoOver(at)
      await expect.poll(() => api.deliveryNamed(item)).toMatchObject({ status })
    })

  await taps(page, made, 'card', ['Mark as Picked Up', 'Mark as Picked Up'], 'Picked Up')
  await bringToReturn(api, { driver, made })
  await taps(home, made, 'card', ['Confirm return', 'Confirm return'], 'Cancelled')
  const second = (await tripTo(api, 'Delivered', {}, { sender, driver })).made
  await taps(home, second, 'room', ['Approve Delivery', 'Approve and pay'], 'Approved')
  for (const each of [page, home]) await each.context().close()
})

test('R105, R99: A guest confirms the return of their parcel', async ({ browser }) => {
  const origin = `${fixture().origin}/send`
  const home = await openPhone(browser, api, undefined, { origin, clock: true })
  await fillRequest(home, { item: 'Guest parcel' }, kofi)
  const id = await submitRequest(home)
  await codeShown(home)
  const driver = await api.createDriver('Yaw Driver')
  const { token } = driver
  await api.acceptDelivery(driver, id)
  await api.ask('changeStatus', { token, id, body: { status: 'Picked Up' } })
  await api.ask('reportAttempt', { token, id, body: { reason: 'refused' } })
  await expect(nextStep(home)).toContainText("Yaw couldn't deliver: the recipient refused it")
  await endWait(api, id)
  await api.ask('startReturn', { token, id, body: {} })
  await expect(nextStep(home)).toContainText('Your parcel is coming back')
  await expect(home.getByTestId('return-code')).toHaveText(/^\d{5}$/)
  await button(home, 'Confirm return').click()
  await inDialog(home, 'Confirm return').click()
  await undoOver(home)
  await expect(nextStep(home)).toContainText('Your parcel is back with you')
  await expect(nextStep(home)).toContainText('Yaw gets ₵30, ₵30 comes back')
  await home.context().close()
})
