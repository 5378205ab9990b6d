import { expect, type Page, test } from '@playwright/test'
import { appOpened } from '../helpers/page/app-opened.ts'
import { describeItem, draftKept, logIn } from '../helpers/page/page-actions.ts'
import { installed } from '../helpers/page/worker.ts'
import { become, ready } from '../helpers/server/demo-host.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture } from '../helpers/server/server-fixture.ts'

/* The demo beside the real app, at `/demo/` of the same server. */

const fixture = serverFixture()
const api = serverApi(fixture)
const demo = () => `${fixture().origin}/demo/`

test('A visitor opens the demo from Home or from the login and returns to the app signed out, as before', async ({
  page,
}) => {
  await page.goto(fixture().origin)
  await page.getByRole('link', { name: 'Try the demo' }).click()
  await ready(page)
  await expect(page).toHaveURL(demo())
  await become(page, 'Admin')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()
  await leave(page)
  await expect(page.getByRole('link', { name: 'Login' })).toBeVisible()
  await page.goto(`${fixture().origin}/auth`)
  await expect(page.getByRole('link', { name: 'Try the demo' })).toHaveAttribute('href', '/demo/')
})

test('The demo does not change the app’s session, draft or storage', async ({ page }) => {
  const abena = await api.createAccount('Abena Asante', 'sender')
  await page.goto(fixture().origin)
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('howItWorksDismissed')))
    .toBe('true')
  await logIn(page, abena)
  await describeItem(page, 'Half a name')
  await expect.poll(() => draftKept(page)).toMatchObject({ itemDescription: 'Half a name' })
  const before = await storedByTheApp(page)
  const apiCalls: string[] = []
  page.context().on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api')) apiCalls.push(pathname)
  })

  await page.goto(demo())
  await ready(page)
  apiCalls.splice(0)
  // The banner was dismissed in the app only.
  await expect(page.getByText('New to Soma?')).toBeVisible()
  await become(page, 'Driver')
  await become(page, 'Sender')
  await describeItem(page, 'Somebody else')
  await page.reload()
  await expect(page.getByLabel('Describe the item')).toHaveValue('Somebody else')
  expect(apiCalls).toEqual([])
  expect(await storedByTheApp(page)).toEqual(before)

  await leave(page)
  await page.goto(`${fixture().origin}/send`)
  await expect(page.getByLabel('Describe the item')).toHaveValue('Half a name')
  expect(await storedByTheApp(page)).toEqual(before)
})

test('The demo’s worker replaces the app’s without reloading the page', async ({ page }) => {
  await page.goto(fixture().origin)
  await installed(page)
  let loads = 0
  page.on('domcontentloaded', () => loads++)
  await page.goto(demo())
  await expect.poll(() => controller(page)).toBe(`${demo()}sw.js`)
  await become(page, 'Driver')
  // A reload that waits is tried again every second (src/app/browser/update.ts).
  await page.waitForTimeout(1_500)
  expect(loads).toBe(1)
})

test('Installed, the demo is another app than the app beside it', async ({ page }) => {
  const cdp = await page.context().newCDPSession(page)
  const identity = async (url: string) => {
    await page.goto(url)
    return (await cdp.send('Page.getAppId')).appId
  }
  expect(await identity(fixture().origin)).toBe(`${fixture().origin}/`)
  expect(await identity(demo())).toBe(demo())
})

test('A deep link into the demo opens its screen on the first visit', async ({ page }) => {
  await page.goto(`${demo()}auth?tab=signup`)
  await expect(page.getByRole('tab', { name: 'Sign Up' })).toHaveAttribute('aria-selected', 'true')
  await expect(page).toHaveURL(`${demo()}auth?tab=signup`)
})

test('The demo’s own code is at most 67 kB, and the app’s first page at most 120 kB', async ({
  browser,
}) => {
  const app = await scripts(fixture().origin)
  const whole = await scripts(demo())
  test.info().annotations.push({ type: 'kB', description: `${app} and ${whole - app}` })
  expect(app).toBeLessThanOrEqual(120)
  expect(whole - app).toBeLessThanOrEqual(67)

  /** Compressed kilobytes of script that this address loads. */
  async function scripts(url: string): Promise<number> {
    const context = await browser.newContext({ serviceWorkers: 'block' })
    const page = await context.newPage()
    const sizes: Promise<{ responseBodySize: number }>[] = []
    page.on('requestfinished', (request) => {
      if (request.resourceType() === 'script') sizes.push(request.sizes())
    })
    // What registers the worker is loaded last, when the page has been at rest for a while.
    const last = page.waitForResponse(/workbox-window/)
    await page.goto(url)
    await expect(page.getByRole('heading', { name: 'Welcome to Soma' })).toBeVisible()
    await appOpened(page)
    await last
    await page.waitForLoadState('networkidle')
    const bytes = (await Promise.all(sizes)).map(({ responseBodySize }) => responseBodySize)
    await context.close()
    return bytes.reduce((sum, size) => sum + size, 0) / 1_000
  }
})

const controller = (page: Page) =>
  page.evaluate(() => navigator.serviceWorker.controller?.scriptURL)

async function leave(page: Page) {
  await page.getByRole('button', { name: /^Demo: you are/ }).click()
  await page.getByRole('link', { name: 'Leave the demo' }).click()
  await page.waitForURL(`${fixture().origin}/`)
}

/** Local storage and names of databases that are not the demo's. */
const storedByTheApp = (page: Page) =>
  page.evaluate(async () => {
    const keys = Object.keys(localStorage).filter((key) => !key.startsWith('soma-demo:'))
    const databases = (await indexedDB.databases()).flatMap(({ name = '' }) =>
      name.startsWith('soma-demo:') ? [] : [name],
    )
    return { databases, storage: keys.sort().map((key) => [key, localStorage.getItem(key)]) }
  })
