import { expect, type Locator, type Page } from '@playwright/test'
import { openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { card, jobOpener, nextStep } from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { photo } from '../../../e2e/helpers/photo.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

/* How many taps the daily things take, beside typing and the camera. */

const fixture = serverFixture()
const api = serverApi(fixture)
const at = () => ({ origin: fixture().origin, viewport: { width: 360, height: 740 } })

/** In the page: keeps a transaction on the outbox open until the event `release`. */
const holdOutbox = () =>
  new Promise<void>((resolve, reject) => {
    const opening = indexedDB.open('soma')
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      let isHeld = true
      addEventListener('release', () => {
        isHeld = false
      })
      const outbox = opening.result.transaction('outbox', 'readwrite').objectStore('outbox')
      const hold = () => {
        if (isHeld) outbox.count().onsuccess = hold
        else opening.result.close()
      }
      hold()
      resolve()
    }
  })

/** In the page: keeps the text of the room as it was when its task was first drawn. */
const watchFirstRoom = () =>
  new MutationObserver((_, observer) => {
    if (!document.querySelector('[aria-label="Next step"]')) return
    observer.disconnect()
    requestAnimationFrame(() => {
      document.body.dataset.firstRoom = document.body.textContent
    })
  }).observe(document.body, { childList: true, subtree: true })

/** Counts what a thumb does. */
function thumb() {
  let taps = 0
  return {
    tap: async (target: Locator) => {
      await target.click()
      taps += 1
    },
    /** A native picker: one tap opens it, one chooses. */
    pick: async (target: Locator, value: string) => {
      await target.selectOption(value)
      taps += 2
    },
    taps: () => taps,
  }
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('A first request takes at most ten taps', async ({ browser }) => {
  const page = await openPhone(browser, api, undefined, at())
  const { tap, pick, taps } = thumb()
  await tap(page.getByRole('link', { name: 'Send a Package' }))
  await tap(page.locator('label').filter({ hasText: 'Keys' }))
  await page.getByLabel('Item photo: Take photo').setInputFiles(photo())
  await expect(page.getByRole('img', { name: 'Your item' })).toBeVisible()
  await screenshot(page, 'taps-1-what')
  // The camera: one tap opens it.
  const camera = 1
  await tap(button(page, 'Continue'))
  await pick(page.getByLabel('Pickup zone'), 'Osu')
  await pick(page.getByLabel('Drop-off zone'), 'Tema')
  await screenshot(page, 'taps-2-where')
  await tap(button(page, 'Continue'))
  await page.getByLabel('Recipient name').fill('Esi Mensah')
  await page.getByLabel('Recipient phone').fill('0550000001')
  await page.getByLabel('Your name').fill('Kofi Boateng')
  await page.getByLabel('Your phone').fill('0244000001')
  await page.getByLabel('Offer').fill('60')
  await screenshot(page, 'taps-3-who')
  await tap(button(page, 'Request Delivery'))
  await expect(nextStep(page)).toBeVisible()
  expect(taps() + camera).toBeLessThanOrEqual(10)
  await page.context().close()
})

test('A request is repeated with at most four taps, also offline, and its photo is not sent again', async ({
  browser,
}) => {
  const ama = await api.createAccount('Ama Sender', 'sender')
  const driver = await api.createDriver('Kofi Driver')
  const made = await api.createDelivery(ama, { itemDescription: 'Cake', offer: 45 })
  await api.completeDelivery(driver, made)
  await api.ask('changeStatus', { token: ama.token, id: made.ID, body: { status: 'Approved' } })
  const page = await openPhone(browser, api, ama, { ...at(), serviceWorkers: 'allow' })
  await page.getByRole('link', { name: 'Deliveries' }).filter({ visible: true }).click()
  await expect(card(page, 'Cake')).toBeVisible()
  await screenshot(page, 'taps-4-deliveries')
  await page.getByRole('link', { name: 'Send', exact: true }).filter({ visible: true }).click()
  await page.context().setOffline(true)
  const { tap, taps } = thumb()
  await tap(page.getByRole('link', { name: 'Deliveries' }).filter({ visible: true }))
  await tap(page.getByRole('button', { name: 'Send Cake again' }))
  await expect(page.getByLabel('Recipient name')).toHaveValue('Esi Mensah')
  await expect(page.getByLabel('Offer')).toHaveValue('45')
  await screenshot(page, 'taps-5-again')
  await tap(button(page, 'Request Delivery'))
  await expect(nextStep(page)).toContainText('Not sent yet')
  expect(taps()).toBeLessThanOrEqual(4)
  await page.context().setOffline(false)
  await expect(nextStep(page)).toContainText('Waiting for a driver')
  const [first, second] = await api.deliveriesNamed('Cake')
  expect(first?.itemPhoto).toBe(second?.itemPhoto)
  await page.context().close()
})

test('Accepting takes two taps, a hand-over two and five digits, approving two', async ({
  browser,
}) => {
  const abena = await api.createAccount('Abena Sender', 'sender')
  const yaw = await api.createDriver('Yaw Driver')
  const made = await api.createDelivery(abena, { itemDescription: 'Drum', offer: 45 })
  const origin = `${fixture().origin}/drive`
  const page = await openPhone(browser, api, yaw, { ...at(), origin, clock: true })
  const accepting = thumb()
  await accepting.tap(jobOpener(page, 'Drum'))
  await accepting.tap(page.getByRole('dialog').getByRole('button', { name: 'Accept Job' }))
  expect(accepting.taps()).toBeLessThanOrEqual(2)
  await expect(page.getByRole('button', { name: 'Mark as Picked Up' })).toBeVisible()
  await api.ask('changeStatus', { token: yaw.token, id: made.ID, body: { status: 'Picked Up' } })

  const { deliveryCode: code = '' } = await api.deliveryNamed('Drum')
  await page.goto(fixture().origin)
  const handing = thumb()
  await handing.tap(page.getByRole('link', { name: 'Enter code' }))
  await expect(page.getByLabel('Delivery code')).toBeFocused()
  await page.keyboard.type(code)
  await handing.tap(button(page, 'Complete Delivery'))
  expect(handing.taps()).toBeLessThanOrEqual(2)
  await expect(nextStep(page)).toContainText('₵45 waiting for approval')
  await page.context().close()

  const sender = await openPhone(browser, api, abena, { ...at(), clock: true })
  const approving = thumb()
  await approving.tap(button(sender, 'Confirm and pay'))
  const pay = sender.getByRole('dialog')
  await approving.tap(pay.getByText('Cash', { exact: true }))
  await approving.tap(pay.getByRole('button', { name: "I've paid" }))
  expect(approving.taps()).toBeLessThanOrEqual(3)
  await expect.poll(async () => (await api.deliveryNamed('Drum')).status).toBe('Approved')
  await sender.context().close()
})

test('A tap on Accept is answered before the phone has stored it, and the job comes with its way back', async ({
  browser,
}) => {
  const ama = await api.createAccount('Abena Sender', 'sender')
  await api.createDelivery(ama, { itemDescription: 'Mirror' })
  const page = await openPhone(browser, api, await api.createDriver('Yaw Driver'), at())
  await page.goto(`${fixture().origin}/drive`)
  await jobOpener(page, 'Mirror').click()
  // The server says nothing meanwhile, and the queue is busy for as long as the page says.
  await page.route(/\/api\/(batch|driver\/deliveries\/[^/]+\/accept)$/, () => {})
  await page.evaluate(holdOutbox)
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: 'Accept Job' }).click()
  await expect(sheet.getByRole('button', { name: 'Accepting…' })).toBeDisabled()
  await page.evaluate(watchFirstRoom)
  await page.evaluate(() => dispatchEvent(new Event('release')))
  const wayBack = /(Take|take) back the acceptance/
  await expect(nextStep(page).getByRole('button', { name: wayBack })).toBeVisible()
  expect(await page.evaluate(() => document.body.dataset.firstRoom)).toMatch(wayBack)
  await page.context().close()
})
