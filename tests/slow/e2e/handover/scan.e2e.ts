import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, expect, type Page } from '@playwright/test'
import { handoverLink } from '#domain/deliveries/handover/handover-link.ts'
import { drawHandover } from '#store/deliveries/draw-handover.ts'
import { showCode, standInCamera } from '../../../e2e/handover/stand-in-camera.ts'
import { axeViolations } from '../../../e2e/helpers/page/axe.ts'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import {
  acceptJob,
  asTimePasses,
  nextStep,
  offline,
  online,
  storedRows,
} from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { chromiumArgs, findChromium } from '../../../helpers/chromium.mjs'
import { writeCameraFile } from '../../../helpers/scan/camera-file.ts'

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

const qr = (of: { id: string; secret: string }) =>
  handoverLink('https://soma.example', { ...of, code: '12345' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Scan code' })
const scanButton = (page: Page) => page.getByRole('button', { name: 'Scan code' })
const digits = (page: Page) => page.getByLabel('Delivery code')
const typeInstead = (page: Page) =>
  dialog(page).getByRole('button', { name: 'Type the digits instead' }).click()

/** Operations that were queued on this phone to end the delivery. */
const proofs = async (page: Page) =>
  ((await storedRows(page, 'outbox')) as { op: string }[]).filter(
    ({ op }) => op === 'completeDelivery',
  )

/** Which of the scanner's files this phone has stored. */
const scannerParts = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const names = await caches.keys()
    const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    const urls = keys.flat().map(({ url }) => url)
    return ['scan-dialog', 'scan-decoder'].filter((part) => urls.some((url) => url.includes(part)))
  })

test('R110: From Accept on the phone has the scanner stored; offline the scan says at once that the code is right, and it is sent later', async () => {
  const item = 'Kente cloth'
  const status = async () => (await api.deliveryNamed(item)).status
  const { id, secret, driver } = await onOffer(item)
  const folder = mkdtempSync(join(tmpdir(), 'soma-camera-'))
  const file = join(folder, 'camera.y4m')
  writeCameraFile(file, qr({ id, secret }))
  // The camera of this browser is a file.
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: [
      ...chromiumArgs,
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-video-capture=${file}`,
    ],
  })
  try {
    const page = await openPhone(browser, api, driver, {
      origin: `${fixture().origin}/drive`,
      clock: true,
      serviceWorkers: 'allow',
      viewport: { width: 360, height: 740 },
      locale: 'en-GH',
    })
    expect(await scannerParts(page)).toEqual([])
    await acceptJob(page, item)
    await expect.poll(status).toBe('Accepted')
    await expect.poll(() => scannerParts(page)).toEqual(['scan-dialog', 'scan-decoder'])
    await expect(scanButton(page)).toBeHidden()
    await page.getByRole('button', { name: 'Mark as Picked Up' }).click()
    await expect.poll(status).toBe('Picked Up')
    await expect(scanButton(page)).toBeVisible()
    await screenshot(page, 'scan-1-room')

    await offline(page)
    await page.reload()
    await scanButton(page).click()
    const said = page.getByRole('dialog', { name: 'Right code. Hand over.' })
    await expect(said.getByText('Right code. Hand over.').last()).toBeVisible()
    await expect(said).toContainText("Saved on this phone. Sends when you're online.")
    await screenshot(page, 'scan-4-right')
    expect(await proofs(page)).toMatchObject([{ input: { handoverSecret: secret } }])
    expect(await status()).toBe('Picked Up')
    await said.getByRole('button', { name: 'Done' }).click()
    await expect(nextStep(page).getByRole('heading')).toHaveText('Right code. Hand over.')
    await expect(nextStep(page).getByRole('button')).toHaveCount(0)
    await screenshot(page, 'scan-5-room-offline')
    // A phone that was shut meanwhile says so too.
    await page.reload()
    await expect(nextStep(page).getByRole('heading')).toHaveText('Right code. Hand over.')

    await online(page)
    await asTimePasses(page, status).toBe('Delivered')
    await expect(nextStep(page)).toContainText('waiting for approval')
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true })
  }
})

test("R110: A wrong code queues nothing, a page in the background lets go of the camera and takes it again, and digits typed without signal leave the scanner, the call and “I can't deliver” in place until a scan replaces them", async ({
  browser,
}) => {
  const { page, id, secret } = await pickedUp(browser, 'Bead necklace', standInCamera)
  const otherSecret = 'AAECAwQFBgcICQoLDA0ODw'
  const otherId = '0192f0c1-7e2a-7b3c-9d4e-5f6071829304'
  for (const [text, hint] of [
    [qr({ id: otherId, secret: otherSecret }), 'This code is for another delivery.'],
    [
      qr({ id, secret: otherSecret }),
      "Don't hand over. Ask the recipient to open their link again.",
    ],
    ['https://example.com/menu', "This isn't a Soma code."],
  ] as const)
    await test.step(hint, async () => {
      await showCode(page, text)
      await scanButton(page).click()
      await expect(dialog(page).getByText('Wrong code', { exact: true })).toBeVisible()
      await expect(dialog(page)).toContainText(hint)
      await screenshot(page, 'scan-2-wrong')
      expect(await proofs(page)).toEqual([])
      await typeInstead(page)
      await expect(digits(page)).toBeVisible()
    })
  expect((await api.deliveryNamed('Bead necklace')).status).toBe('Picked Up')

  await scanButton(page).click()
  const video = dialog(page).getByLabel('Camera')
  const isLive = () =>
    video.evaluate((element: HTMLVideoElement) => {
      const { srcObject } = element
      return srcObject instanceof MediaStream && srcObject.active
    })
  await expect.poll(isLive).toBe(true)
  const show = (state: string) =>
    page.evaluate((to) => {
      Object.defineProperty(document, 'visibilityState', { value: to, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
  await show('hidden')
  await expect.poll(isLive).toBe(false)
  await show('visible')
  await expect.poll(isLive).toBe(true)
  expect(await axeViolations(page)).toEqual([])

  await typeInstead(page)
  await offline(page)
  await digits(page).fill('11111')
  await page.getByRole('button', { name: 'Complete Delivery' }).click()
  const heading = nextStep(page).getByRole('heading', { name: "Don't hand over yet" })
  await expect(heading).toBeFocused()
  await expect(nextStep(page)).toContainText('No signal: scan the QR code')
  await expect(nextStep(page).getByRole('link', { name: 'Call Esi' })).toBeVisible()
  await expect(nextStep(page).getByRole('button', { name: "I can't deliver" })).toBeVisible()
  await expect(nextStep(page).getByRole('button', { name: 'Take back the code' })).toBeVisible()
  await expect(digits(page)).toBeHidden()
  await screenshot(page, 'scan-6-digits-wait')

  await showCode(page, qr({ id, secret }))
  await scanButton(page).click()
  await page
    .getByRole('dialog', { name: 'Right code. Hand over.' })
    .getByRole('button', { name: 'Done' })
    .click()
  expect(await proofs(page)).toMatchObject([{ state: 'cancelled' }, { state: 'waiting' }])
  await expect(nextStep(page).getByRole('heading')).toHaveText('Right code. Hand over.')
  await online(page)
  await expect.poll(async () => (await api.deliveryNamed('Bead necklace')).status).toBe('Delivered')
  await page.context().close()
})

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
