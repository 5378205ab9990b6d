import { expect, type Page } from '@playwright/test'
import { drawHandover } from '#store/deliveries/draw-handover.ts'
import { standInCamera } from '../../../e2e/handover/stand-in-camera.ts'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

/* A driver scans the recipient's QR code. */

const fixture = serverFixture()
const api = serverApi(fixture)

/** A delivery on offer and what its recipient has, and a driver. */
async function onOffer(item: string) {
  const sender = await api.createAccount('Ama Owusu', 'sender')
  const { secret, hashes } = drawHandover()
  const { ID: id } = await api.createDelivery(sender, { itemDescription: item, ...hashes })
  return { id, secret, driver: await api.createDriver('Yaw Driver') }
}

/** The same, picked up, and the driver's phone at it. */
async function pickedUp(
  browser: Parameters<typeof openPhone>[0],
  item: string,
  prepare?: (page: Page) => Promise<unknown>,
) {
  const job = await onOffer(item)
  const { driver, id } = job
  await api.acceptDelivery(driver, id)
  await api.ask('changeStatus', { token: driver.token, id, body: { status: 'Picked Up' } })
  const page = await openPhone(browser, api, driver, { origin: fixture().origin, prepare })
  await navigateTo(page, `/delivery/${id}`)
  return { ...job, page }
}

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Scan code' })
const scanButton = (page: Page) => page.getByRole('button', { name: 'Scan code' })
const digits = (page: Page) => page.getByLabel('Delivery code')
const typeInstead = (page: Page) =>
  dialog(page).getByRole('button', { name: 'Type the digits instead' }).click()
test('R110: Without a camera, leave for it or a scanner the phone says what to do, and the digits are left', async ({
  browser,
}) => {
  const { page } = await pickedUp(browser, 'Talking drum', standInCamera)
  await page.route('**/scan-decoder*', (route) => route.abort())
  await scanButton(page).click()
  await expect(dialog(page).getByText('Scanner not available')).toBeVisible()
  for (const [error, said] of [
    ['NotAllowedError', 'Camera not allowed'],
    ['NotFoundError', 'No camera found'],
    ['NotReadableError', "The camera didn't start"],
  ] as const) {
    await page.evaluate((name) => {
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', name))
    }, error)
    await dialog(page).getByRole('button', { name: 'Retry' }).click()
    await expect(dialog(page).getByText(said)).toBeVisible()
    await screenshot(page, `scan-3-${error}`)
  }
  await typeInstead(page)
  await expect(digits(page)).toBeVisible()

  // A browser without a camera API.
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'mediaDevices', { value: undefined })
  })
  await page.reload()
  await expect(digits(page)).toBeVisible()
  await expect(scanButton(page)).toBeHidden()
  await page.context().close()
})
