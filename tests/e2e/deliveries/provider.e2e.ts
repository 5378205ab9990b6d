import { expect } from '@playwright/test'
import { standInKey, startStandIn } from '../../helpers/payments/stand-in.ts'
import { expectAccessible } from '../helpers/page/expect-accessible.ts'
import { openPhone } from '../helpers/page/open-phone.ts'
import { fillRequest, jobOpener, nextStep, submitRequest } from '../helpers/page/page-actions.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'
import { button, inDialog } from '../returns/return-actions.ts'

/* A sender whose money a provider holds (R173, R176): here a stand-in that speaks its HTTP. */

let standIn: Awaited<ReturnType<typeof startStandIn>>
const fixture = serverFixture({
  env: async () => {
    standIn = await startStandIn()
    return { PAYMENTS: 'paystack', PAYSTACK_SECRET_KEY: standInKey, PAYSTACK_URL: standIn.url }
  },
})
test.afterAll(() => standIn.close())
const api = serverApi(fixture)

/** The provider tells the server what became of the prompt on this phone. */
async function decide(phone: string, status: 'success' | 'failed', message?: string) {
  await expect
    .poll(() => [...standIn.transactions.values()].some((each) => each.phone === phone))
    .toBe(true)
  standIn.decide(phone, status, message)
  const { reference } =
    [...standIn.transactions.values()].findLast((each) => each.phone === phone) ?? {}
  const { body, signature } = standIn.event('charge.success', { reference })
  const response = await fetch(`${fixture().origin}/api/payments/paystack/webhook`, {
    method: 'POST',
    body,
    headers: { 'x-paystack-signature': signature, 'content-type': 'application/json' },
  })
  expect(response.status).toBe(200)
}

test('R173, R176: A sender pays by the prompt, from another number after it failed; then drivers see the job', async ({
  browser,
}) => {
  const sender = await api.createAccount('Ama Sender', 'sender')
  const driver = await api.createDriver('Kofi Driver')
  const home = await openPhone(browser, api, sender, { origin: `${fixture().origin}/send` })
  const page = await openPhone(browser, api, driver, { origin: `${fixture().origin}/drive` })
  const recipient = '0550000001'
  await fillRequest(home, { item: 'Blender' })
  await expect(home.getByLabel('Mobile money number')).toHaveValue(sender.phone)
  await expectAccessible(home, 'who pays')
  await submitRequest(home)
  await expect(nextStep(home)).toContainText('Approve the prompt on your phone')
  await expect(nextStep(home)).toContainText('It asks for ₵60.')

  await decide(sender.phone, 'failed', 'Not enough money')
  await expect(nextStep(home)).toContainText('The payment did not go through')
  await expect(nextStep(home)).toContainText('Not enough money')
  await expect(jobOpener(page, 'Blender')).toHaveCount(0)
  await button(home, 'Another number').click()
  await inDialog(home, 'The recipient pays').click()
  await expect(home.getByLabel('Mobile money number')).toHaveValue(recipient)
  await expectAccessible(home, 'another number')
  await inDialog(home, 'Send the prompt').click()
  await expect(nextStep(home)).toContainText('Approve the prompt on your phone')
  await decide(recipient, 'success')
  await expect(nextStep(home)).toContainText('Waiting for a driver')
  await jobOpener(page, 'Blender').click()
  await expect(page.getByRole('dialog')).toContainText('Paid, held')
  for (const each of [home, page]) await each.context().close()
})

test('R176: The voucher that a network asks for is handed in', async ({ browser }) => {
  standIn.behaviour.charge = () => 'send_otp'
  const sender = await api.createAccount('Esi Sender', 'sender')
  const made = await api.createDelivery(sender, { itemDescription: 'Kettle', offer: 25 })
  const home = await openPhone(browser, api, sender, {
    origin: `${fixture().origin}/delivery/${made.ID}`,
  })
  await expect(nextStep(home)).toContainText('Enter the voucher code')
  await expectAccessible(home, 'voucher')
  await home.getByLabel('Voucher code').fill('48 2131')
  await button(home, 'Send voucher').click()
  await expect(nextStep(home)).toContainText('Approve the prompt on your phone')
  await decide(sender.phone, 'success')
  await expect(nextStep(home)).toContainText('Waiting for a driver')
  await home.context().close()
})
