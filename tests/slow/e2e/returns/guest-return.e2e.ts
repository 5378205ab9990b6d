import { expect } from '@playwright/test'
import { openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import {
  codeShown,
  fillRequest,
  kofi,
  nextStep,
  submitRequest,
} from '../../../e2e/helpers/page/page-actions.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { button, endWait, inDialog } from '../../../e2e/returns/return-actions.ts'

const fixture = serverFixture()
const api = serverApi(fixture)

test('R105: A guest confirms the return of their parcel', async ({ browser }) => {
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
  await expect(nextStep(home)).toContainText('Your parcel is back with you')
  await expect(nextStep(home)).toContainText('You pay Yaw ₵30, not ₵60.')
  await home.context().close()
})
