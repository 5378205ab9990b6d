import { expect, type Page, test } from '@playwright/test'
import { appOpened } from '../../../e2e/helpers/page/app-opened.ts'
import {
  fillRequest,
  kofi,
  newPhone,
  submitRequest,
} from '../../../e2e/helpers/page/page-actions.ts'
import { installed } from '../../../e2e/helpers/page/worker.ts'
import {
  expectRelease,
  lookForUpdate,
  releaseFixture,
} from '../../../e2e/helpers/server/release.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'

/* Version N+1 beside version N, in two tabs and while a page is opened. */

const { fixture, release } = releaseFixture()
const api = serverApi(fixture)

const bar = (page: Page) => page.getByRole('status', { name: 'Update ready' })
const isInstalling = (page: Page) =>
  page.evaluate(async () => (await navigator.serviceWorker.ready).installing !== null)

test('R83: A new release that was being installed when the page was opened is loaded too', async ({
  page,
}) => {
  await page.goto(fixture().origin)
  await installed(page)
  release('found early')
  // The install takes seconds; the page itself comes from the worker of the release before.
  fixture().proxy.set({ kind: 'slow', delay: 1_000 })
  await lookForUpdate(page)
  await page.reload()
  await expectRelease(page, null)
  await expect.poll(() => isInstalling(page)).toBe(true)
  await appOpened(page)
  await expect(page.getByRole('heading', { name: 'Welcome to Soma' })).toBeVisible()
  fixture().proxy.set({ kind: 'fine' })
  await expectRelease(page, 'found early')
})

test('R83: An older tab beside a newer one goes on with the same store', async ({ browser }) => {
  const older = await newPhone(browser, fixture().origin)
  await older.goto(`${fixture().origin}/send`)
  await fillRequest(older, { item: 'From the older tab' }, kofi)
  release('newest')
  await lookForUpdate(older)
  await expect(bar(older)).toBeVisible()
  // While this tab loads, the old worker answers it, and Chromium may not let the new one in (update-now.ts).
  const newer = await older.context().newPage()
  await newer.goto(fixture().origin)
  // From now on it hears of a new controller.
  await appOpened(newer)
  await bar(older).getByRole('button', { name: 'Update now' }).click()
  await expectRelease(older, 'newest')
  await expectRelease(newer, 'newest')
  await expect(older.getByLabel('Recipient name')).toHaveValue('Esi Mensah')
  await submitRequest(older)
  await newer.goto(`${fixture().origin}/`)
  await expect(newer.getByText('From the older tab').first()).toBeVisible()
  await expect.poll(() => api.deliveriesNamed('From the older tab')).toHaveLength(1)
})

test('R83: A page whose app runs only after another tab has let the new release in is loaded again', async ({
  browser,
}) => {
  const older = await newPhone(browser, fixture().origin)
  const before = await older.locator('html').getAttribute('data-release')
  const newer = await older.context().newPage()
  await newer.addInitScript(holdAppOnce)
  await newer.goto(fixture().origin)
  release('last')
  await lookForUpdate(older)
  await expectRelease(older, 'last')
  await expectRelease(newer, before)
  await newer.evaluate(() => dispatchEvent(new Event('let-go')))
  await expectRelease(newer, 'last')
})

/** In the page: its first load runs the script of its head, but not the app, until it is let go. */
function holdAppOnce() {
  if (sessionStorage.getItem('held')) return
  sessionStorage.setItem('held', 'yes')
  const observer = new MutationObserver(() => {
    for (const script of document.querySelectorAll('script[type=module]'))
      script.setAttribute('type', 'held')
  })
  observer.observe(document, { childList: true, subtree: true })
  addEventListener('let-go', () => {
    observer.disconnect()
    for (const held of document.querySelectorAll<HTMLScriptElement>('script[type=held]')) {
      const script = document.createElement('script')
      script.type = 'module'
      script.src = held.src
      document.head.append(script)
    }
  })
}
