import { type Browser, expect, type Page, test } from '@playwright/test'
import { appOpened } from '../../../e2e/helpers/page/app-opened.ts'
import { openPhone } from '../../../e2e/helpers/page/open-phone.ts'
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
  releaseOf,
  settleRelease,
  updateBar,
} from '../../../e2e/helpers/server/release.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'

/* Version N+1 beside version N, in two tabs and while a page is opened. */

const { fixture, release } = releaseFixture()
const api = serverApi(fixture)

const bar = (page: Page) => page.getByRole('status', { name: 'Update ready' })
const isInstalling = (page: Page) =>
  page.evaluate(async () => (await navigator.serviceWorker.ready).installing !== null)
const open = (browser: Browser, path = '') =>
  openPhone(browser, api, undefined, {
    origin: `${fixture().origin}${path}`,
    clock: true,
    serviceWorkers: 'allow',
  })

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

test('R83: A new release waits while text is typed, and is loaded afterwards', async ({
  browser,
}) => {
  const page = await open(browser, '/send?step=3')
  const before = await releaseOf(page)
  const field = page.getByRole('textbox').first()
  await field.fill('Ama')
  release('third')
  await lookForUpdate(page)
  await settleRelease(page)
  await expect(updateBar(page)).toBeVisible()
  await page.clock.fastForward(2_000)
  expect(await releaseOf(page)).toBe(before)
  await expect(field).toHaveValue('Ama')

  await field.fill('')
  await field.blur()
  await page.clock.fastForward(1_000)
  await expectRelease(page, 'third')
  await page.context().close()
})

test('A release that is half copied is not installed; the one before still opens offline', async ({
  browser,
}) => {
  const page = await open(browser)
  const before = await releaseOf(page)
  release('torn', true)
  const outcome = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    const fresh = new Promise<string>((resolve) =>
      registration.addEventListener('updatefound', () => {
        const worker = registration.installing
        worker?.addEventListener('statechange', () => resolve(worker.state))
      }),
    )
    await registration.update()
    return fresh
  })
  expect(outcome).toBe('redundant')
  await page.context().setOffline(true)
  await page.reload()
  await appOpened(page)
  expect(await releaseOf(page)).toBe(before)
  release('mended')
  await page.context().close()
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
