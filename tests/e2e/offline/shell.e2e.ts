import { expect, type Page } from '@playwright/test'
import { appOpened } from '../helpers/page/app-opened.ts'
import { openPhone } from '../helpers/page/open-phone.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'

const fixture = serverFixture()
const api = serverApi(fixture)

const home = (page: Page) => page.getByRole('heading', { name: 'Welcome to Soma' })

/** Photo URLs have the server's public origin, which may differ from the app's. */
test(`After a first visit the app, its screens and a photo seen once open offline`, async ({
  browser,
}) => {
  const origin = `http://localhost:${fixture().proxy.port}`
  const page = await openPhone(browser, api, undefined, {
    origin,
    clock: true,
    serviceWorkers: 'allow',
  })
  const context = page.context()
  const url = await api.uploadPhoto()
  expect(await width(page, url)).toBeGreaterThan(0)
  expect(await page.evaluate(async () => (await fetch('/api/zones')).status)).toBe(200)

  // Read from the worker's cache, not from the browser's memory.
  await (await context.newCDPSession(page)).send('Network.clearBrowserCache')
  await context.setOffline(true)
  await page.reload()
  await appOpened(page)
  await expect(home(page)).toBeVisible()
  expect(await width(page, url)).toBeGreaterThan(0)
  expect(await width(page, url.replace(/\w{8}\.(\w+)$/, 'deadbeef.$1'))).toBe(0)

  // A screen never opened before.
  await page.goto(`${origin}/send`)
  await appOpened(page)
  await expect(page.getByRole('radio', { name: 'Other' })).toBeAttached()

  const kept = await page.evaluate(async () => {
    const names = await caches.keys()
    const lists = names.map(async (name) => (await caches.open(name)).keys())
    return (await Promise.all(lists)).flat().map((request) => new URL(request.url).pathname)
  })
  expect(kept).toContain('/index.html')
  expect(kept.filter((path) => /^\/api\/(?!images\/)/.test(path))).toEqual([])

  // A network that is silent.
  await context.setOffline(false)
  fixture().proxy.set({ kind: 'silent' })
  await page.goto(origin)
  await appOpened(page)
  await expect(home(page)).toBeVisible()
  await context.close()
})

/** The photo's width once the page shows it; 0 when it cannot. */
const width = (page: Page, url: string) =>
  page.evaluate(async (src) => {
    const image = new Image()
    image.src = src
    await image.decode().catch(() => undefined)
    return image.naturalWidth
  }, url)
