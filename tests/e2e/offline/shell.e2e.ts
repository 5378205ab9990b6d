import { expect, type Page, test } from '@playwright/test'
import { appOpened } from '../helpers/page/app-opened.ts'
import {
  codeShown,
  fillRequest,
  kofi,
  submitRequest,
  waitingHere,
} from '../helpers/page/page-actions.ts'
import { installed } from '../helpers/page/worker.ts'
import { photo } from '../helpers/photo.ts'
import { serverFixture } from '../helpers/server/server-fixture.ts'

const fixture = serverFixture()

test('The app opens offline after a first visit', async ({ page, context }) => {
  await page.goto(fixture().origin)
  await expect(page.getByRole('heading', { name: 'Welcome to Soma' })).toBeVisible()
  await installed(page)

  await context.setOffline(true)
  await page.reload()
  await appOpened(page)
  await expect(page.getByRole('heading', { name: 'Welcome to Soma' })).toBeVisible()
})

test('A screen never opened before opens offline', async ({ page, context }) => {
  await page.goto(fixture().origin)
  await installed(page)

  await context.setOffline(true)
  await page.goto(`${fixture().origin}/send`)
  await appOpened(page)
  await expect(page.getByRole('radio', { name: 'Other' })).toBeAttached()
})

test('When a first visit loses the network before the worker is installed, a request is stored, shown and later sent', async ({
  browser,
}) => {
  const context = await browser.newContext({ serviceWorkers: 'block' })
  const page = await context.newPage()
  await page.goto(`${fixture().origin}/send?as=guest`)
  await expect(page.getByRole('radio', { name: 'Other' })).toBeAttached()
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await fillRequest(page, { item: 'Fan belt' }, kofi)
  await submitRequest(page)
  await expect(waitingHere(page)).toBeVisible()
  await context.setOffline(false)
  await codeShown(page)
  await context.close()
})

test('The app opens on a network that is silent', async ({ page }) => {
  await page.goto(fixture().origin)
  await installed(page)

  fixture().proxy.set({ kind: 'silent' })
  await page.reload()
  await appOpened(page)
  await expect(page.getByRole('heading', { name: 'Welcome to Soma' })).toBeVisible()
})

test('The worker caches no response of the API', async ({ page }) => {
  await page.goto(fixture().origin)
  await installed(page)
  const zones = await page.evaluate(async () => (await fetch('/api/zones')).status)
  expect(zones).toBe(200)
  const kept = await page.evaluate(async () => {
    const names = await caches.keys()
    const lists = names.map(async (name) => (await caches.open(name)).keys())
    return (await Promise.all(lists)).flat().map((request) => new URL(request.url).pathname)
  })
  expect(kept).toContain('/index.html')
  expect(kept.filter((path) => path.startsWith('/api'))).toEqual([])
})

for (const host of ['127.0.0.1', 'localhost'])
  test(`A photo seen once is shown offline, in the app opened at ${host}`, async ({
    page,
    context,
  }) => {
    // Photo URLs have the server's public origin, which may differ from the app's.
    await page.goto(`http://${host}:${fixture().proxy.port}`)
    await installed(page)
    const url = await uploaded(page)
    expect(await width(page, url)).toBeGreaterThan(0)

    // Read from the worker's cache, not from the browser's memory.
    await (await context.newCDPSession(page)).send('Network.clearBrowserCache')
    await context.setOffline(true)
    await page.reload()
    expect(await width(page, url)).toBeGreaterThan(0)
    expect(await width(page, url.replace(/\w{8}\.(\w+)$/, 'deadbeef.$1'))).toBe(0)
  })

async function uploaded(page: Page): Promise<string> {
  const { buffer, mimeType, name } = photo(77)
  const { imageUploadPreset } = await (
    await page.request.get(`${fixture().origin}/api/config`)
  ).json()
  const answer = await page.request.post(`${fixture().origin}/api/images/upload`, {
    multipart: { upload_preset: imageUploadPreset, file: { name, mimeType, buffer } },
  })
  return (await answer.json()).secure_url
}

/** The photo's width once the page shows it; 0 when it cannot. */
const width = (page: Page, url: string) =>
  page.evaluate(async (src) => {
    const image = new Image()
    image.src = src
    await image.decode().catch(() => undefined)
    return image.naturalWidth
  }, url)
