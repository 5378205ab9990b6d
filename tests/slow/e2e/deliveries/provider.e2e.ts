import { expect } from '@playwright/test'
import { expectAccessible } from '../../../e2e/helpers/page/expect-accessible.ts'
import { openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import {
  fillRequest,
  kofi,
  nextStep,
  submitRequest,
  toast,
} from '../../../e2e/helpers/page/page-actions.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { button, inDialog } from '../../../e2e/returns/return-actions.ts'
import { standInKey, startStandIn } from '../../../helpers/payments/stand-in.ts'

/* A sender whose money a provider holds (R173, R176): here a stand-in that speaks its HTTP. */

let standIn: Awaited<ReturnType<typeof startStandIn>>
const fixture = serverFixture({
  env: async () => {
    standIn = await startStandIn()
    standIn.behaviour.transfer = () => 'success'
    return { PAYMENTS: 'paystack', PAYSTACK_SECRET_KEY: standInKey, PAYSTACK_URL: standIn.url }
  },
})
test.afterAll(() => standIn.close())
const api = serverApi(fixture)

/** The last prompt on this phone is approved or refused, and the provider tells the server so. */
async function decide(phone: string, status: 'success' | 'failed', message?: string) {
  const last = () => [...standIn.transactions.values()].findLast((each) => each.phone === phone)
  await expect.poll(() => last()?.status).toBe('pay_offline')
  standIn.decide(phone, status, message)
  const { body, signature } = standIn.event('charge.success', { reference: last()?.reference })
  const response = await fetch(`${fixture().origin}/api/payments/paystack/webhook`, {
    method: 'POST',
    body,
    headers: { 'x-paystack-signature': signature, 'content-type': 'application/json' },
  })
  expect(response.status).toBe(200)
}

test('R176, R179: A guest hands in the voucher of their network; a higher offer that is not paid leaves the offer as it was', async ({
  browser,
}) => {
  standIn.behaviour.charge = () => 'send_otp'
  standIn.behaviour.refund = () => 'processed'
  const home = await openPhone(browser, api, undefined, { origin: `${fixture().origin}/send` })
  const phone = await fillRequest(home, { item: 'Kettle' }, kofi)
  await submitRequest(home)
  await expect(nextStep(home)).toContainText('Enter the voucher code')
  await expectAccessible(home, 'voucher')
  await home.getByLabel('Voucher code').fill('48 2131')
  await button(home, 'Send voucher').click()
  await expect(nextStep(home)).toContainText('Approve the payment prompt')
  await decide(phone, 'success')
  await expect(nextStep(home)).toContainText('Waiting for a driver')

  standIn.behaviour.charge = () => 'pay_offline'
  await button(home, 'Raise the offer').click()
  await expect(home.getByRole('dialog')).toContainText('A prompt for ₵5 comes to the phone')
  await expectAccessible(home, 'raise by prompt')
  await inDialog(home, 'Offer ₵65').click()
  const asked = `Approve the prompt for ₵5 on ${phone}.`
  await expect(toast(home, 'Approve the prompt')).toContainText(`${asked} Drivers then see ₵65.`)
  await expect(nextStep(home)).toContainText(`Drivers see it at ₵60. ${asked}`)
  await decide(phone, 'failed', 'Not enough money')
  await expect(nextStep(home)).toContainText(
    'The higher offer of ₵5 was not paid: Not enough money',
  )
  await button(home, 'Cancel delivery').click()
  await expect(home.getByRole('dialog')).toContainText('GH₵ 60.00 comes back to you.')
  await inDialog(home, 'Cancel delivery').click()
  await expect(nextStep(home)).toContainText('₵60 came back to you.')
  await expectAccessible(home, 'payment refunded')
  await home.context().close()
})
