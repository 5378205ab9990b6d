import { expect, type Locator, type Page } from '@playwright/test'
import { openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { jobOpener, nextStep } from '../../../e2e/helpers/page/page-actions.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

/* How many taps the daily things take, beside typing and the camera. */

const fixture = serverFixture()
const api = serverApi(fixture)
const at = () => ({ origin: fixture().origin, viewport: { width: 360, height: 740 } })

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
