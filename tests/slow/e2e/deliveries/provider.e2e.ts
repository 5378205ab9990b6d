import { expect } from '@playwright/test'
import { expectAccessible } from '../../../e2e/helpers/page/expect-accessible.ts'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import {
  card,
  fillRequest,
  jobOpener,
  kofi,
  nextStep,
  offline,
  online,
  submitRequest,
  toast,
  waitingHere,
} from '../../../e2e/helpers/page/page-actions.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { button, inDialog } from '../../../e2e/returns/return-actions.ts'
import { standInKey, startStandIn } from '../../../helpers/payments/stand-in.ts'
import { admin } from '../../../helpers/server/app-server.ts'

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

test('R173, R176, R178, R179: A request made offline is paid by prompt, at last by the recipient; approved offline with a tip, its driver is paid out', async ({
  browser,
}) => {
  const sender = await api.createAccount('Ama Sender', 'sender')
  const driver = await api.createDriver('Kofi Driver')
  const { token, phone } = driver
  await api.ask('changePayout', { token, body: { phone, network: 'vod', name: 'Kofi Driver' } })
  const code = await fixture().server.smsCode(phone)
  await api.ask('confirmPayout', { token, body: { code } })
  const home = await openPhone(browser, api, sender, {
    origin: `${fixture().origin}/send`,
    serviceWorkers: 'allow',
  })
  const page = await openPhone(browser, api, driver, { origin: `${fixture().origin}/drive` })
  const recipient = '0550000001'
  await fillRequest(home, { item: 'Blender' })
  await expect(home.getByLabel('Mobile money number')).toHaveValue(sender.phone)
  await expectAccessible(home, 'who pays')
  await offline(home)
  const id = await submitRequest(home)
  await expect(waitingHere(home)).toBeVisible()
  await expect(button(home, 'Raise the offer')).toHaveCount(0)
  await online(home)
  await expect(nextStep(home)).toContainText('Not paid yetApprove the payment prompt')
  await expect(nextStep(home)).toContainText('It asks for ₵60.')
  await expect(home.getByRole('main')).toContainText('Your code appears once it is paid')

  await decide(sender.phone, 'failed', 'Not enough money')
  await expect(nextStep(home)).toContainText('The payment did not go through')
  await expect(nextStep(home)).toContainText('Not enough money')
  await expectAccessible(home, 'payment failed')
  await navigateTo(home, '/')
  await expect(card(home, 'Blender')).toContainText('Not paid yet')
  await navigateTo(home, `/delivery/${id}`)
  await expect(jobOpener(page, 'Blender')).toHaveCount(0)
  await button(home, 'Another number').click()
  await inDialog(home, 'The recipient pays').click()
  await expect(home.getByLabel('Mobile money number')).toHaveValue(recipient)
  await expectAccessible(home, 'another number')
  await inDialog(home, 'Send the prompt').click()
  await expect(nextStep(home)).toContainText('Approve the payment prompt')
  await decide(recipient, 'success')
  await expect(nextStep(home)).toContainText('Waiting for a driver')
  await jobOpener(page, 'Blender').click()
  await expect(page.getByRole('dialog')).toContainText('Paid, held')

  await api.completeDelivery(
    driver,
    await api.ask('getDelivery', { token: sender.token, id }).then(({ delivery }) => delivery),
  )
  await expect(nextStep(home)).toContainText('Handed over. Confirm to pay Kofi ₵60')
  await offline(home)
  await button(home, 'Confirm and pay').click()
  await home.getByRole('dialog').getByText('₵5', { exact: true }).click()
  await expect(home.getByRole('dialog')).toContainText(
    'A prompt for ₵5 comes to the phone that paid.',
  )
  await expectAccessible(home, 'tip by prompt')
  await inDialog(home, 'Confirm and pay').click()
  await expect(nextStep(home)).toContainText('Payment to KofiNot sent yet')
  await online(home)
  const asked = `Approve the prompt for ₵5 on ${recipient}.`
  await expect(toast(home, 'Status Updated')).toContainText(`${asked} Then the tip counts.`)
  await expect(nextStep(home)).toContainText(`Done. Kofi gets ₵60${asked}`)
  await decide(recipient, 'success')
  await expect(nextStep(home)).toContainText('Done. Kofi gets ₵60 and a tip of ₵5')
  await navigateTo(page, '/deliveries?show=earnings')
  await expect(page.getByRole('region', { name: 'Overview' })).toContainText('Paid to youGH₵ 65.00')
  expect(standIn.balance()).toEqual({ in: 6500, out: 6500, back: 0 })
  for (const each of [home, page]) await each.context().close()
})

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

test('R228: An admin refunds a part while the payout waits; the sender reads what comes back, and the driver what is left', async ({
  browser,
}) => {
  standIn.behaviour.refund = () => 'processed'
  const { origin } = fixture()
  const sender = await api.createAccount('Esi Sender', 'sender')
  const driver = await api.createDriver('Yaw Driver')
  const made = await api.createDelivery(sender, { itemDescription: 'Radio', offer: 60 })
  await decide(sender.phone, 'success')
  const about = { token: sender.token, id: made.ID }
  const shown = async () => (await api.ask('getDelivery', about)).delivery
  await expect.poll(async () => (await shown()).payment?.status).toBe('held')
  await api.completeDelivery(driver, await shown())
  await api.ask('changeStatus', { ...about, body: { status: 'Approved' } })

  const { token } = await api.ask('login', { body: admin })
  const office = await openPhone(browser, api, { token }, { origin })
  await navigateTo(office, `/admin/deliveries?open=${made.ID}`)
  await button(office, 'Refund').click()
  const dialog = office.getByRole('dialog', { name: 'Refund the sender?' })
  const amount = dialog.getByLabel('Amount in cedis')
  await expect(amount).toHaveValue('60')
  await amount.fill('61')
  await expect(dialog).toContainText('An amount up to ₵60')
  await amount.fill('20')
  await dialog.getByText('The item is damaged').click()
  await expectAccessible(office, 'refund')
  await dialog.getByRole('button', { name: 'Refund', exact: true }).click()
  await expect(toast(office, 'Refunded')).toContainText('The sender of Radio gets it back.')

  for (const [person, text] of [
    [sender, 'Yaw gets ₵40, you get ₵20 back'],
    [driver, '₵40 is on its way to you'],
  ] as const) {
    const page = await openPhone(browser, api, person, { origin })
    await navigateTo(page, `/delivery/${made.ID}`)
    await expect(nextStep(page)).toContainText(text)
    await expect(page.getByRole('main')).toContainText(/Refunded.*Support: The item is damaged/)
    await expectAccessible(page, `refunded, ${person.name}`)
    await page.context().close()
  }
  await expect.poll(() => standIn.balance().back).toBeGreaterThanOrEqual(2000)
  await office.context().close()
})
