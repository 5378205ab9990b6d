import { expect, type Page, test } from '@playwright/test'
import { become, ready } from '../helpers/demo-host.ts'
import { draftKept, logIn } from '../helpers/page-actions.ts'
import { serverApi } from '../helpers/server-api.ts'
import { serverFixture } from '../helpers/server-fixture.ts'
import { installed } from '../helpers/worker.ts'

/* The demo beside the real app, at `/demo/` of the same server. */

const town = serverFixture()
const hall = serverApi(town)
const demo = () => `${town().origin}/demo/`

test('A visitor tries the demo from Home or from the login, and comes back as they were', async ({
  page,
}) => {
  await page.goto(town().origin)
  await page.getByRole('link', { name: 'Try the demo' }).click()
  await ready(page)
  await expect(page).toHaveURL(demo())
  await become(page, 'Admin')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()
  await leave(page)
  await expect(page.getByRole('link', { name: 'Login' })).toBeVisible()
  await page.goto(`${town().origin}/auth`)
  await expect(page.getByRole('link', { name: 'Try the demo' })).toHaveAttribute('href', '/demo/')
})

test('Leaving the demo leaves the real session, draft and all, as it was', async ({ page }) => {
  const abena = await hall.citizen('Abena Asante', 'sender')
  await page.goto(town().origin)
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('howItWorksDismissed')))
    .toBe('true')
  await logIn(page, abena)
  await page.getByLabel('Recipient name').fill('Half a name')
  await expect.poll(() => draftKept(page)).toMatchObject({ recipientName: 'Half a name' })
  const before = await keptByTheApp(page)
  const asked: string[] = []
  page.context().on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api')) asked.push(pathname)
  })

  await page.goto(demo())
  await ready(page)
  asked.splice(0)
  // The real banner was dismissed; the demo's was not.
  await expect(page.getByText('New to Soma?')).toBeVisible()
  await become(page, 'Driver')
  await become(page, 'Sender')
  await page.getByLabel('Recipient name').fill('Somebody else')
  await page.reload()
  await expect(page.getByLabel('Recipient name')).toHaveValue('Somebody else')
  expect(asked).toEqual([])
  expect(await keptByTheApp(page)).toEqual(before)

  await leave(page)
  await page.goto(`${town().origin}/send`)
  await expect(page.getByLabel('Recipient name')).toHaveValue('Half a name')
  expect(await keptByTheApp(page)).toEqual(before)
})

test('The demo’s worker takes over from the app’s without loading the page again', async ({
  page,
}) => {
  await page.goto(town().origin)
  await installed(page)
  let loads = 0
  page.on('domcontentloaded', () => loads++)
  await page.goto(demo())
  await expect.poll(() => controller(page)).toBe(`${demo()}sw.js`)
  await become(page, 'Driver')
  // Looked for once a second while something is typed or sent (src/app/update.ts).
  await page.waitForTimeout(1_500)
  expect(loads).toBe(1)
})

test('A deep link into the demo opens there on the first visit', async ({ page }) => {
  await page.goto(`${demo()}auth?tab=signup`)
  await expect(page.getByRole('tab', { name: 'Sign Up' })).toHaveAttribute('aria-selected', 'true')
  await expect(page).toHaveURL(`${demo()}auth?tab=signup`)
})

test('The demo’s own code is at most 60 kB, and none of it is in the app’s first page', async ({
  browser,
}) => {
  const app = await scripts(town().origin)
  const whole = await scripts(demo())
  test.info().annotations.push({ type: 'kB', description: `${app} and ${whole - app}` })
  expect(app).toBeLessThanOrEqual(125)
  expect(whole - app).toBeLessThanOrEqual(60)

  /** Kilobytes of script, packed, that opening this address costs. */
  async function scripts(url: string): Promise<number> {
    const context = await browser.newContext({ serviceWorkers: 'block' })
    const page = await context.newPage()
    const sizes: Promise<{ responseBodySize: number }>[] = []
    page.on('requestfinished', (request) => {
      if (request.resourceType() === 'script') sizes.push(request.sizes())
    })
    await page.goto(url)
    await expect(page.getByRole('heading', { name: 'Welcome to Soma' })).toBeVisible()
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
  await page.waitForURL(`${town().origin}/`)
}

/** Local storage under the real app's names, and the databases that are not the demo's. */
const keptByTheApp = (page: Page) =>
  page.evaluate(async () => {
    const keys = Object.keys(localStorage).filter((key) => !key.startsWith('soma-demo:'))
    const databases = (await indexedDB.databases()).flatMap(({ name = '' }) =>
      name.startsWith('soma-demo:') ? [] : [name],
    )
    return { databases, storage: keys.sort().map((key) => [key, localStorage.getItem(key)]) }
  })
