import { expect, type Page } from '@playwright/test'
import { openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { describeItem, draftKept, logIn } from '../../../e2e/helpers/page/page-actions.ts'
import { installed } from '../../../e2e/helpers/page/worker.ts'
import { become, ready } from '../../../e2e/helpers/server/demo-host.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

/* The demo beside the real app, at `/demo/` of the same server. */

const fixture = serverFixture()
const api = serverApi(fixture)
const demo = () => `${fixture().origin}/demo/`

test('A visitor opens the demo from Home or from the login and returns to the app signed out, as before', async ({
  page,
}) => {
  await page.clock.install()
  await page.goto(fixture().origin)
  await page.clock.fastForward(1_000)
  await installed(page)
  let loads = 0
  page.on('domcontentloaded', () => loads++)
  await page.getByRole('link', { name: 'Try the demo' }).click()
  await ready(page)
  await expect(page).toHaveURL(demo())
  // The demo's worker replaces the app's without a reload; one that waits would be tried again every second.
  await expect.poll(() => controller(page)).toBe(`${demo()}sw.js`)
  await become(page, 'Admin')
  await page.clock.fastForward(1_500)
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()
  expect(loads).toBe(1)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()
  await leave(page)
  await expect(page.getByRole('link', { name: 'Login' })).toBeVisible()
  await page.goto(`${fixture().origin}/auth`)
  await expect(page.getByRole('link', { name: 'Try the demo' })).toHaveAttribute('href', '/demo/')
})

test('The demo does not change the app’s session, draft or storage', async ({ browser }) => {
  const abena = await api.createAccount('Abena Asante', 'sender')
  const page = await openPhone(browser, api, undefined, {
    origin: fixture().origin,
    serviceWorkers: 'allow',
  })
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
  await page.context().close()
})

test('Beside the app the demo is another app to install, and a deep link opens its screen on the first visit', async ({
  page,
}) => {
  const cdp = await page.context().newCDPSession(page)
  const identity = async (url: string) => {
    await page.goto(url)
    return (await cdp.send('Page.getAppId')).appId
  }
  expect(await identity(fixture().origin)).toBe(`${fixture().origin}/`)
  expect(await identity(`${demo()}auth?tab=signup`)).toBe(demo())
  await expect(page.getByRole('tab', { name: 'Sign Up' })).toHaveAttribute('aria-selected', 'true')
  await expect(page).toHaveURL(`${demo()}auth?tab=signup`)
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
