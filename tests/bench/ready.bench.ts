import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Request } from '@playwright/test'
import {
  type Throttle,
  takeShifts,
  throttle,
  watchShifts,
} from '../e2e/helpers/page/layout-shift.ts'
import { openPhone } from '../e2e/helpers/page/open-phone.ts'
import { serverApi } from '../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../e2e/helpers/server/server-fixture.ts'
import { people, type Screen, whos } from '../slow/e2e/loading/screens.ts'

/*
 * `npm run bench -- ready`: how long each screen takes to show what it is opened for, on a first visit by a cheap
 * phone on a slow network, how many bytes and requests that takes, and how far things move meanwhile.
 * `BENCH_ROOT` names another checkout whose build is measured instead.
 */

const root = process.env.BENCH_ROOT
const fixture = serverFixture(root ? { root: () => root } : {})
const api = serverApi(fixture)
test.use({ serviceWorkers: 'block' })

const phone: Throttle = { latency: 400, kilobitsPerSecond: 400, cpu: 6 }
const results: Record<string, string | number>[] = []

test.afterAll(() => {
  for (const result of results) process.stdout.write(`${JSON.stringify(result)}\n`)
  const folder = join(process.env.DATA_DIR ?? 'data', 'bench')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'ready.json'), `${JSON.stringify(results, null, 2)}\n`)
})

test('Time until each screen is ready', async ({ browser }) => {
  const all = await people(api)
  for (const who of whos) {
    const { login, screens } = all[who]
    const page = await openPhone(browser, api, login, { origin: fixture().origin })
    await watchShifts(page)
    await throttle(page, phone)
    for (const screen of screens) await measure(page, who, screen)
    await page.context().close()
  }
})

test('Time until the demo is ready', async ({ page }) => {
  await watchShifts(page)
  await throttle(page, phone)
  const heading = page.getByRole('heading', { name: 'Welcome to Soma' })
  await measure(page, 'a visitor', { path: '/demo/', shown: () => heading.waitFor() })
})

async function measure(page: Page, who: string, { path, shown }: Screen): Promise<void> {
  const sizes: Promise<number>[] = []
  const count = (request: Request) => {
    if (request.url().startsWith('http'))
      sizes.push(request.sizes().then((size) => size.responseBodySize))
  }
  page.on('requestfinished', count)
  const began = performance.now()
  await page.goto(fixture().origin + path, { waitUntil: 'commit' })
  await shown(page)
  const ready = performance.now() - began
  page.off('requestfinished', count)
  await page.waitForTimeout(1_500)
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  const paint = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  )
  results.push({
    who,
    path: path.replace(/[0-9a-f-]{36}/, ':id'),
    'ready ms': Math.round(ready),
    'first paint ms': Math.round(paint),
    kB: Math.round(bytes / 100) / 10,
    requests: sizes.length,
    shift: Number((await takeShifts(page)).sum.toFixed(3)),
  })
}
