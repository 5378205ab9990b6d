import { get } from 'node:http'
import { type Browser, expect } from '@playwright/test'
import { appOpened } from '../helpers/page/app-opened.ts'
import { installed } from '../helpers/page/worker.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'

/* What a phone has to load, in bytes as they travel (brotli). A guest who opens Home for the first time. */

const fixture = serverFixture()

const kilobytes = (bytes: number) => Math.round(bytes / 100) / 10
const sum = (numbers: number[]) => numbers.reduce((all, each) => all + each, 0)

test('A guest’s first screen loads at most 132 kB of scripts, 12 kB of styles and 30 kB of images; the demo’s own scripts are at most 105 kB', async ({
  browser,
}) => {
  const loaded = await loadedBy(browser, '/')
  const images = loaded.filter(({ type }) => /image|manifest|other/.test(type))
  const of = (type: string) =>
    kilobytes(sum(loaded.filter((file) => file.type === type).map(({ bytes }) => bytes)))
  const found = {
    script: of('script'),
    stylesheet: of('stylesheet'),
    document: of('document'),
    images: kilobytes(sum(images.map(({ bytes }) => bytes))),
  }
  const demo = await loadedBy(browser, '/demo/')
  const inDemo = kilobytes(sum(demo.map(({ type, bytes }) => (type === 'script' ? bytes : 0))))
  test.info().annotations.push({ type: 'kB', description: JSON.stringify({ ...found, inDemo }) })
  expect(inDemo).toBeGreaterThan(found.script)
  expect(inDemo - found.script).toBeLessThanOrEqual(105)
  expect(loaded.filter(({ type }) => type === 'script').length).toBeLessThanOrEqual(3)
  expect(found.script).toBeLessThanOrEqual(132)
  expect(found.stylesheet).toBeLessThanOrEqual(12)
  expect(found.images).toBeLessThanOrEqual(30)
  // What a server sends before it waits for the phone: Home is drawn after one journey.
  expect(found.document).toBeLessThanOrEqual(14)
})

test('The worker stores at most 700 kB for use offline, and at most 30 kB of it are images', async ({
  page,
}) => {
  await page.clock.install()
  await page.goto(fixture().origin)
  await page.clock.fastForward(1_000)
  await installed(page)
  const urls = await page.evaluate(async () => {
    const names = await caches.keys()
    const all = await Promise.all(
      names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)),
    )
    return [...new Set(all.flat())]
  })
  expect(urls.length).toBeGreaterThan(20)
  const sizes = await Promise.all(
    [...urls, `${fixture().origin}/sw.js`].map(async (url) => ({ url, bytes: await bytesOf(url) })),
  )
  const all = kilobytes(sum(sizes.map(({ bytes }) => bytes)))
  const images = sizes.filter(({ url }) => /\.(png|svg|webp|jpg)$/.test(url))
  test.info().annotations.push({ type: 'kB', description: `${all}` })
  expect(all).toBeLessThanOrEqual(700)
  expect(kilobytes(sum(images.map(({ bytes }) => bytes)))).toBeLessThanOrEqual(30)
})

type Loaded = { url: string; type: string; bytes: number }

/** Everything that is loaded until nothing is left to load. */
async function loadedBy(browser: Browser, path: string): Promise<Loaded[]> {
  const context = await browser.newContext({ serviceWorkers: 'block' })
  await context.clock.install()
  const page = await context.newPage()
  const sizes: Promise<Loaded>[] = []
  page.on('requestfinished', (request) => {
    const url = request.url()
    const type = /\.(png|svg|webp)$/.test(url) ? 'image' : request.resourceType()
    sizes.push(request.sizes().then(({ responseBodySize: bytes }) => ({ url, type, bytes })))
  })
  await page.goto(fixture().server.origin + path)
  await expect(page.getByRole('heading', { name: 'Welcome to Soma' })).toBeVisible()
  await appOpened(page)
  // What comes a while after the first screen.
  await page.clock.fastForward(1_000)
  await page.waitForLoadState('networkidle')
  const loaded = await Promise.all(sizes)
  await context.close()
  return loaded
}

/** The length of a file as the server sends it to a browser. */
const bytesOf = (url: string) =>
  new Promise<number>((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': 'br' } }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on('end', () => resolve(bytes))
    }).on('error', reject)
  })
