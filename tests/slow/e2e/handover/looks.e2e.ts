import { expect } from '@playwright/test'
import { handoverLink } from '#domain/deliveries/handover/handover-link.ts'
import { drawHandover } from '#store/deliveries/draw-handover.ts'
import { showCode, standInCamera } from '../../../e2e/handover/stand-in-camera.ts'
import { largeText } from '../../../e2e/helpers/page/layout-checks.ts'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { looksRight } from '../looks-right.ts'

/* How the scanner and the recipient's page look (R110, R111). */

const fixture = serverFixture()
const api = serverApi(fixture)

/** A delivery with its hand-over and its driver. */
async function accepted(item: string) {
  const sender = await api.createAccount('Ama Owusu', 'sender')
  const driver = await api.createDriver('Yaw Driver')
  const { secret, hashes } = drawHandover()
  const made = await api.createDelivery(sender, { itemDescription: item, ...hashes })
  await api.acceptDelivery(driver, made.ID)
  const code = made.deliveryCode ?? ''
  return {
    driver,
    id: made.ID,
    link: handoverLink(fixture().origin, { id: made.ID, secret, code }),
  }
}

test('R110: the scanner is legible, large enough and accessible: denied, and a right code', async ({
  browser,
}) => {
  const { driver, id, link } = await accepted('Kente cloth')
  await api.ask('changeStatus', { token: driver.token, id, body: { status: 'Picked Up' } })
  const { origin } = fixture()
  const page = await openPhone(browser, api, driver, { origin, prepare: standInCamera })
  await navigateTo(page, `/delivery/${id}`)
  await page.evaluate(() => {
    const { mediaDevices } = navigator
    const open = mediaDevices.getUserMedia
    mediaDevices.getUserMedia = async () => {
      mediaDevices.getUserMedia = open
      throw new DOMException('', 'NotAllowedError')
    }
  })
  await page.getByRole('button', { name: 'Scan code' }).click()
  const dialog = page.getByRole('dialog', { name: 'Scan code' })
  await expect(dialog.getByText('Camera not allowed')).toBeVisible()
  await looksRight(page, 'scan-3-denied')
  // The words are within their box.
  await page.setViewportSize({ width: 320, height: 640 })
  await largeText(page)
  const room = await dialog
    .getByRole('alert')
    .evaluate(({ parentElement: box, clientHeight }) => (box?.clientHeight ?? 0) - clientHeight)
  expect(room).toBeGreaterThanOrEqual(0)
  await page.reload()
  await page.setViewportSize({ width: 360, height: 740 })
  await showCode(page, link)
  await page.getByRole('button', { name: 'Scan code' }).click()
  const said = page.getByRole('dialog', { name: 'Right code. Hand over.' })
  await expect(said.getByText('Right code. Hand over.').last()).toBeVisible()
  await looksRight(page, 'scan-4-right')
  await page.context().close()
})

test('R111: the recipient’s page is legible, large enough and accessible', async ({ page }) => {
  const { link } = await accepted('Wax print')
  await page.goto(link)
  await expect(page.getByRole('link', { name: 'Call Yaw' })).toBeVisible()
  await page.getByLabel("I'm not there: leave it with").fill('the tailor')
  await looksRight(page, 'recipient-3')
})
