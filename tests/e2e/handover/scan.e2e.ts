import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, expect, type Page, test } from '@playwright/test'
import { handoverLink } from '#domain/deliveries/handover-link.ts'
import { chromiumArgs, findChromium } from '../../helpers/chromium.mjs'
import { writeCameraFile } from '../../helpers/scan/camera-file.ts'
import { appOpened } from '../helpers/page/app-opened.ts'
import { axeViolations } from '../helpers/page/axe.ts'
import { cutOff, largeText, smallTargets, usualText } from '../helpers/page/layout-checks.ts'
import {
  acceptJob,
  codeShown,
  fillRequest,
  logIn,
  newPhone,
  nextStep,
  offline,
  online,
  storedRows,
  submitRequest,
} from '../helpers/page/page-actions.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { inTheme } from '../helpers/page/theme.ts'
import { type Account, serverApi } from '../helpers/server/server-api.ts'
import { serverFixture } from '../helpers/server/server-fixture.ts'

/* A driver scans the recipient's QR code: the camera of the driver's phone is a file. */

const fixture = serverFixture()
const api = serverApi(fixture)
const folder = mkdtempSync(join(tmpdir(), 'soma-camera-'))
const item = 'Kente cloth'
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }

let sender: Page
let driver: Account
let id: string
let secret: string
const browsers: Browser[] = []

test.describe.configure({ mode: 'serial' })
test.beforeAll(async ({ browser }) => {
  const ama = await api.createAccount('Ama Owusu', 'sender')
  driver = await api.createDriver('Yaw Driver')
  sender = await newPhone(browser, fixture().origin)
  await logIn(sender, ama)
  await sender.goto(`${fixture().origin}/send`)
  await fillRequest(sender, { item })
  id = await submitRequest(sender)
  await codeShown(sender)
  const [drawn] = (await storedRows(sender, 'handovers')) as { ID: string; secret: string }[]
  expect(drawn?.ID).toBe(id)
  secret = drawn?.secret ?? ''
})
test.afterEach(async () => {
  for (const each of browsers.splice(0)) await each.close()
})
test.afterAll(() => rmSync(folder, { recursive: true }))

const status = async () => (await api.deliveryNamed(item)).status
const qr = (over: { id?: string; secret?: string } = {}) =>
  handoverLink('https://soma.example', { id, secret, code: '12345', ...over })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Scan code' })
const scan = (page: Page) => page.getByRole('button', { name: 'Scan code' }).click()
/** Operations that were queued on this phone to end the delivery. */
const proofs = async (page: Page) =>
  ((await storedRows(page, 'outbox')) as { op: string }[]).filter(
    ({ op }) => op === 'completeDelivery',
  )

/** The driver's phone, whose camera sees the QR code of this text. `args`: the browser's further switches. */
async function driversPhone(
  text: string,
  args = ['--use-fake-ui-for-media-stream'],
): Promise<Page> {
  const file = join(folder, `${browsers.length}-${Date.now()}.y4m`)
  writeCameraFile(file, text)
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: [
      ...chromiumArgs,
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${file}`,
      ...args,
    ],
  })
  browsers.push(browser)
  const context = await browser.newContext({ ...phone, locale: 'en-GH' })
  const page = await context.newPage()
  await page.goto(fixture().origin)
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await logIn(page, driver)
  return page
}

/** Which of the scanner's files this phone has stored. */
const scannerParts = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const names = await caches.keys()
    const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    const urls = keys.flat().map(({ url }) => url)
    return ['scan-dialog', 'scan-decoder'].filter((part) => urls.some((url) => url.includes(part)))
  })

const scannerStored = (page: Page) =>
  expect.poll(() => scannerParts(page)).toEqual(['scan-dialog', 'scan-decoder'])

async function openRoom(page: Page) {
  await page.goto(`${fixture().origin}/delivery/${id}`)
  await expect(page.getByRole('button', { name: 'Scan code' })).toBeVisible()
}

test('R110: A driver without a job has no scanner stored; from Accept on the phone has it', async () => {
  const page = await driversPhone(qr())
  await page.goto(`${fixture().origin}/drive`)
  await appOpened(page)
  expect(await scannerParts(page)).toEqual([])
  await acceptJob(page, item)
  await expect.poll(status, { timeout: 20_000 }).toBe('Accepted')
  await scannerStored(page)
  await expect(page.getByRole('button', { name: 'Scan code' })).toBeHidden()
  await page.getByRole('button', { name: 'Mark as Picked Up' }).click()
  await expect.poll(status, { timeout: 20_000 }).toBe('Picked Up')
  await expect(page.getByRole('button', { name: 'Scan code' })).toBeVisible()
  await screenshot(page, 'scan-1-room')
})

const otherSecret = 'AAECAwQFBgcICQoLDA0ODw'
for (const [name, of, hint] of [
  [
    "another delivery's",
    () => qr({ id: '0192f0c1-7e2a-7b3c-9d4e-5f6071829304', secret: otherSecret }),
    'This code is for another delivery.',
  ],
  [
    'an altered',
    () => qr({ secret: otherSecret }),
    "Don't hand over. Ask the recipient to open their link again.",
  ],
  ['a foreign', () => 'https://example.com/menu', "This isn't a Soma code."],
] as const)
  test(`R110: ${name} code is wrong: nothing is queued, and the delivery stays Picked Up`, async () => {
    const page = await driversPhone(of())
    await openRoom(page)
    await scan(page)
    await expect(dialog(page).getByText('Wrong code', { exact: true })).toBeVisible()
    await expect(dialog(page)).toContainText(hint)
    await screenshot(page, `scan-2-wrong-${name.replace(/\W/g, '')}`)
    expect(await proofs(page)).toEqual([])
    expect(await status()).toBe('Picked Up')
    expect(await axeViolations(page)).toEqual([])
    await dialog(page).getByRole('button', { name: 'Type the digits instead' }).click()
    await expect(page.getByLabel('Delivery code')).toBeVisible()
  })

test('R110: Without leave for the camera, without one, or with one in use, the phone says what to do', async () => {
  const page = await driversPhone(qr(), ['--deny-permission-prompts'])
  await openRoom(page)
  await scan(page)
  await expect(dialog(page).getByText('Camera not allowed')).toBeVisible()
  for (const theme of ['light', 'dark'] as const) {
    await inTheme(page, theme)
    await screenshot(page, `scan-3-denied-${theme}`)
  }
  expect(await axeViolations(page)).toEqual([])
  await page.setViewportSize({ width: 320, height: 640 })
  await largeText(page)
  expect(await cutOff(page)).toEqual([])
  // The words are within their box.
  const words = dialog(page).getByRole('alert')
  const room = await words.evaluate(
    ({ parentElement: box, clientHeight }) => (box?.clientHeight ?? 0) - clientHeight,
  )
  expect(room).toBeGreaterThanOrEqual(0)
  expect(await smallTargets(page)).toEqual([])
  await screenshot(page, 'scan-3-denied-large')
  await usualText(page)
  for (const [error, said] of [
    ['NotFoundError', 'No camera found'],
    ['NotReadableError', "The camera didn't start"],
  ] as const) {
    await page.evaluate((name) => {
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', name))
    }, error)
    await dialog(page).getByRole('button', { name: 'Retry' }).click()
    await expect(dialog(page).getByText(said)).toBeVisible()
  }
  await dialog(page).getByRole('button', { name: 'Type the digits instead' }).click()
  await expect(page.getByLabel('Delivery code')).toBeVisible()
})

test('R110: A browser without a camera API offers the digits alone', async () => {
  const page = await driversPhone(qr())
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'mediaDevices', { value: undefined })
  })
  await page.goto(`${fixture().origin}/delivery/${id}`)
  await expect(page.getByLabel('Delivery code')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Scan code' })).toBeHidden()
})

test('R110: A scanner that cannot be loaded leaves the digits', async () => {
  const page = await driversPhone(qr())
  await openRoom(page)
  // As if the browser had thrown its files away.
  await scannerStored(page)
  await page.evaluate(async () => {
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const key of await cache.keys())
        if (key.url.includes('scan-decoder')) await cache.delete(key)
    }
    globalThis.Worker = class extends globalThis.Worker {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(`${url}?gone`, options)
      }
    }
  })
  await offline(page)
  await scan(page)
  await expect(dialog(page).getByText('Scanner not available')).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Type the digits instead' }).click()
  await expect(page.getByLabel('Delivery code')).toBeVisible()
})

test('R110: A page in the background lets go of the camera, and takes it again', async () => {
  const page = await driversPhone('https://example.com/')
  await openRoom(page)
  await scan(page)
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
})

test('R110: With both phones offline the scan says at once that the code is right, and it is sent later', async () => {
  const page = await driversPhone(qr())
  await openRoom(page)
  await scannerStored(page)
  await offline(sender)
  await offline(page)
  await page.reload()
  await scan(page)
  const said = page.getByRole('dialog', { name: 'Right code. Hand over.' })
  await expect(said.getByText('Right code. Hand over.').last()).toBeVisible()
  await expect(said).toContainText("Saved on this phone. Sends when you're online.")
  for (const theme of ['light', 'dark'] as const) {
    await inTheme(page, theme)
    await screenshot(page, `scan-4-right-${theme}`)
    expect(await axeViolations(page, { colorScheme: theme })).toEqual([])
  }
  expect(await proofs(page)).toMatchObject([{ input: { handoverSecret: secret } }])
  expect(await status()).toBe('Picked Up')
  await said.getByRole('button', { name: 'Done' }).click()
  await expect(nextStep(page).getByRole('heading')).toHaveText('Right code. Hand over.')
  await expect(page.getByText('Code not confirmed yet')).toBeHidden()
  await expect(nextStep(page).getByRole('button')).toHaveCount(0)
  await screenshot(page, 'scan-5-room-offline')
  // A phone that was shut meanwhile says so too.
  await page.reload()
  await expect(nextStep(page).getByRole('heading')).toHaveText('Right code. Hand over.')

  await online(page)
  await expect.poll(status, { timeout: 20_000 }).toBe('Delivered')
  await expect(nextStep(page)).toContainText('waiting for approval')
  await online(sender)
})
