import { rmSync } from 'node:fs'
import { expect, type Page, test } from '@playwright/test'
import { appOpened } from '../helpers/page/app-opened.ts'
import { axeViolations } from '../helpers/page/axe.ts'
import {
  fillRequest,
  kofi,
  newPhone,
  offline,
  online,
  storedRows,
  submitRequest,
} from '../helpers/page/page-actions.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { copyOfBuild, release } from '../helpers/server/release.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture } from '../helpers/server/server-fixture.ts'

/* Version N+1 over version N, in the middle of everything. */

let root: string
const fixture = serverFixture({
  root: () => {
    root = copyOfBuild()
    return root
  },
})
const api = serverApi(fixture)
test.afterAll(() => rmSync(root, { recursive: true, force: true }))

const bar = (page: Page) => page.getByRole('status', { name: 'Update ready' })
const marked = (page: Page, mark: string | null, timeout?: number) =>
  expect.poll(() => page.locator('html').getAttribute('data-release'), { timeout }).toBe(mark)
const look = (page: Page) =>
  page.evaluate(async () => {
    await (await navigator.serviceWorker.ready).update()
  })

test('R83: With a half-typed form, a queue and an upload under way nothing is lost, and the page is loaded once', async ({
  browser,
}) => {
  test.setTimeout(120_000)
  const page = await newPhone(browser, fixture().origin)
  await page.goto(`${fixture().origin}/send`)
  await offline(page)
  await fillRequest(page, { item: 'Drum' }, kofi)
  await submitRequest(page)
  await page.getByRole('link', { name: 'Back' }).click()
  await page.getByRole('link', { name: /^Send/ }).first().click()
  await fillRequest(page, { item: 'Half typed', recipient: 'Efua', seed: 2 }, kofi)

  // The upload of the first one is under way when the release comes.
  fixture().proxy.set({ kind: 'slow', delay: 50, bytesPerSecond: 30_000 })
  let loads = 0
  page.on('load', () => loads++)
  release(root, 'next')
  await online(page)
  await expect.poll(() => storedRows(page, 'outbox').then((rows) => rows.length)).toBeGreaterThan(0)
  await look(page)
  await expect(bar(page)).toBeVisible({ timeout: 60_000 })
  await marked(page, null)
  await screenshot(page, 'installed-5-update-ready')
  fixture().proxy.set({ kind: 'fine' })
  expect(await axeViolations(page)).toEqual([])
  await bar(page).getByRole('button', { name: 'Update now' }).click()
  await marked(page, 'next')
  await expect(page.getByLabel('Recipient name')).toHaveValue('Efua')
  await expect(bar(page)).toHaveCount(0)
  expect(loads).toBe(1)
  await expect
    .poll(async () => (await api.deliveriesNamed('Drum')).length, { timeout: 60_000 })
    .toBe(1)
  expect(await api.deliveriesNamed('Half typed')).toEqual([])
  expect(loads).toBe(1)
})

test('R83: An older tab beside a newer one goes on with the same store', async ({ browser }) => {
  test.setTimeout(120_000)
  const older = await newPhone(browser, fixture().origin)
  await older.goto(`${fixture().origin}/send`)
  await fillRequest(older, { item: 'From the older tab' }, kofi)
  release(root, 'newest')
  await look(older)
  await expect(bar(older)).toBeVisible({ timeout: 30_000 })
  // While this tab loads, the old worker answers it, and Chromium may not let the new one in (update-now.ts).
  const newer = await older.context().newPage()
  await newer.goto(fixture().origin)
  // From now on it hears of a new controller.
  await appOpened(newer)
  await bar(older).getByRole('button', { name: 'Update now' }).click()
  await marked(older, 'newest', 30_000)
  await marked(newer, 'newest', 30_000)
  await expect(older.getByLabel('Recipient name')).toHaveValue('Esi Mensah')
  await submitRequest(older)
  await newer.goto(`${fixture().origin}/`)
  await expect(newer.getByText('From the older tab').first()).toBeVisible()
  await expect.poll(() => api.deliveriesNamed('From the older tab')).toHaveLength(1)
})

test('R83: A page whose app runs only after another tab has let the new release in is loaded again', async ({
  browser,
}) => {
  test.setTimeout(120_000)
  const older = await newPhone(browser, fixture().origin)
  const before = await older.locator('html').getAttribute('data-release')
  const newer = await older.context().newPage()
  await newer.addInitScript(holdAppOnce)
  await newer.goto(fixture().origin)
  release(root, 'last')
  await look(older)
  await marked(older, 'last', 60_000)
  await marked(newer, before)
  await newer.evaluate(() => dispatchEvent(new Event('let-go')))
  await marked(newer, 'last', 30_000)
})

/** In the page: its first load runs no script of the app (src/boot.ts) until it is let go. */
function holdAppOnce() {
  if (sessionStorage.getItem('held')) return
  sessionStorage.setItem('held', 'yes')
  const { postMessage } = MessagePort.prototype
  const held: (() => void)[] = []
  MessagePort.prototype.postMessage = function (message: unknown) {
    held.push(() => postMessage.call(this, message))
  }
  addEventListener('let-go', () => {
    MessagePort.prototype.postMessage = postMessage
    for (const post of held.splice(0)) post()
  })
}
