import { expect, type Page } from '@playwright/test'
import { openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import {
  asTimePasses,
  card,
  fillRequest,
  goOn,
  kofi,
  nextStep,
  offline,
  online,
  openStep,
  seesOffline,
  submitRequest,
  toast,
} from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

/* What senders offer: more for a request that nobody accepts (R169), and what is usual (R168, R170). */

const fixture = serverFixture()
const api = serverApi(fixture)

const minute = 60_000
const raise = (page: Page) => page.getByRole('button', { name: 'Raise the offer' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Raise the offer' })

test('R169: half an hour after a request its sender reads that nobody has accepted, offers more offline, and drivers see it', async ({
  browser,
}) => {
  const driver = await api.createDriver('Yaw Driver')
  const ama = await api.createAccount('Ama Sender', 'sender')
  const { ID } = await api.createDelivery(ama, { itemDescription: 'Laptop', offer: 25 })
  const { origin } = fixture()
  const page = await openPhone(browser, api, ama, { origin, clock: true })
  const drive = await openPhone(browser, api, driver, { origin: `${origin}/drive` })
  await expect(card(drive, 'Laptop')).toContainText('₵25')

  await expect(card(page, 'Laptop')).toContainText('Waiting for a driver')
  await page.clock.fastForward(29 * minute)
  await expect(card(page, 'Laptop')).toContainText('Waiting for a driver')
  await page.clock.fastForward(2 * minute)
  await expect(card(page, 'Laptop')).toContainText('Nobody has accepted yet')
  await expect(card(page, 'Laptop')).toContainText('Drivers see it at ₵25')
  await raise(page).click()
  await expect(dialog(page)).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Not now' }).click()

  await page.goto(`${origin}/delivery/${ID}`)
  await expect(nextStep(page)).toContainText('Nobody has accepted yet')
  await screenshot(page, 'raise-1-nobody')
  await offline(page)
  await seesOffline(page)
  await raise(page).click()
  await screenshot(page, 'raise-2-dialog')
  await dialog(page).getByLabel('New offer in cedis').fill('25')
  await expect(dialog(page)).toContainText('Enter more than ₵25')
  await expect(dialog(page).getByRole('button', { name: 'Raise the offer' })).toBeDisabled()
  await dialog(page).getByText('+₵10').click()
  await dialog(page).getByRole('button', { name: 'Offer ₵35' }).click()
  await expect(nextStep(page)).toContainText("New offer not sent yet · sends when you're online")
  await expect(page.getByRole('region', { name: 'Details' })).toContainText('GH₵ 35.00')
  await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('Offer raised to ₵35')
  await screenshot(page, 'raise-3-offline')
  await expect(card(drive, 'Laptop')).toContainText('₵25')

  await online(page)
  await asTimePasses(page, async () => (await api.deliveryNamed('Laptop')).offer).toBe(35)
  await expect(toast(page, 'Offer raised')).toContainText('Drivers now see Laptop at ₵35.')
  await expect(card(drive, 'Laptop')).toContainText('₵35')

  // A driver is faster than the next raise: the price stands, and the sender reads it.
  await offline(page)
  await seesOffline(page)
  await raise(page).click()
  await dialog(page).getByRole('button', { name: 'Offer ₵40' }).click()
  await api.acceptDelivery(driver, ID)
  await online(page)
  const stands = 'A driver accepted it at ₵35, which stays the price.'
  await asTimePasses(page, () => nextStep(page).textContent()).toContain(stands)
  expect((await api.deliveryNamed('Laptop')).offer).toBe(35)
  await page.context().close()
  await drive.context().close()
})

test('R168, R170: the price step says what is usual and who goes there, offline too once it was asked for, and so does a raise', async ({
  browser,
}) => {
  const way = { pickupZone: 'Madina', dropoffZone: 'Circle' }
  const commute = { from: 'Adenta', to: 'Circle', days: [1], leaves: '07:00', notify: false }
  for (const [at, offers] of [[20, 25], [30, 35], [40]].entries()) {
    const sender = await api.createAccount(`Sender ${at}`, 'sender')
    const carrier = await api.createDriver(`Carrier ${at}`)
    await api.ask('changeCommutes', { token: carrier.token, body: { commutes: [commute] } })
    for (const offer of offers) {
      const made = await api.createDelivery(sender, { ...way, offer })
      await api.completeDelivery(carrier, made)
      const body = { status: 'Approved' } as const
      await api.ask('changeStatus', { token: sender.token, id: made.ID, body })
    }
  }
  const page = await openPhone(browser, api, undefined, {
    origin: fixture().origin,
    clock: true,
    serviceWorkers: 'allow',
  })
  const ask = async (to: string) => {
    await page.getByRole('link', { name: 'Send a Package' }).click()
    await fillRequest(page, { item: 'Drum', from: 'Madina', to, offer: '' }, kofi)
  }
  const usual = page.getByRole('button', { name: 'Usually ₵25 to ₵35' })
  await ask('Circle')
  await expect(usual).toBeVisible()
  await expect(page.getByText('About 3 drivers go this way in the morning.')).toBeVisible()
  await screenshot(page, 'guide-1')
  await usual.click()
  await expect(page.getByLabel('Offer')).toHaveValue('30')

  await offline(page)
  await page.reload()
  await expect(usual).toBeVisible()
  await openStep(page, 2)
  await page.getByLabel('Drop-off zone').selectOption('Tesano')
  await goOn(page)
  await expect(page.getByLabel('Offer')).toBeVisible()
  await expect(page.getByText('Usually')).toBeHidden()

  // Whoever offers more reads it too.
  await openStep(page, 2)
  await page.getByLabel('Drop-off zone').selectOption('Circle')
  await submitRequest(page)
  await raise(page).click()
  await expect(dialog(page)).toContainText('Usually ₵25 to ₵35 on this route.')
  await page.context().close()
})
