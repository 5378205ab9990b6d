import { type Browser, expect, type Route, test } from '@playwright/test'
import { appOpened } from '../../../e2e/helpers/page/app-opened.ts'
import { axeViolations } from '../../../e2e/helpers/page/axe.ts'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import {
  asTimePasses,
  fillRequest,
  kofi,
  offline,
  online,
  storedRows,
  submitRequest,
} from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import {
  loadsOf,
  lookForUpdate,
  releaseFixture,
  releaseOf,
  settleRelease,
  updateBar,
} from '../../../e2e/helpers/server/release.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'

/* Version N+1 over version N, in the middle of everything. */

const { fixture, release } = releaseFixture()
const api = serverApi(fixture)
const open = (browser: Browser, path = '') =>
  openPhone(browser, api, undefined, {
    origin: `${fixture().origin}${path}`,
    clock: true,
    serviceWorkers: 'allow',
  })

test('R83: With a half-typed form, a queue and an upload under way nothing is lost, and the page is loaded when the person asks', async ({
  browser,
}) => {
  test.setTimeout(480_000)
  const page = await open(browser, '/send')
  await offline(page)
  await fillRequest(page, { item: 'Drum' }, kofi)
  await submitRequest(page)
  await navigateTo(page, '/send')
  await fillRequest(page, { item: 'Half typed', recipient: 'Efua', seed: 2 }, kofi)

  // The upload of the first one is under way when the release comes.
  const held: Route[] = []
  const upload = '**/api/images/upload'
  await page.route(upload, (route) => void held.push(route))
  const loads = loadsOf(page)
  release('next')
  await online(page)
  await expect.poll(() => held.length).toBeGreaterThan(0)
  expect((await storedRows(page, 'outbox')).length).toBeGreaterThan(0)
  await lookForUpdate(page)
  await settleRelease(page)
  await expect(updateBar(page)).toBeVisible()
  expect(loads.times).toBe(0)
  await screenshot(page, 'installed-5-update-ready')
  expect(await axeViolations(page)).toEqual([])
  await page.unroute(upload)
  await updateBar(page).getByRole('button', { name: 'Update now' }).click()
  // Chromium may keep the new worker waiting for five minutes, whatever the page does (update-now.ts).
  await expect.poll(() => releaseOf(page), { timeout: 360_000 }).toBe('next')
  await appOpened(page)
  await expect(page.getByLabel('Recipient name')).toHaveValue('Efua')
  await expect(updateBar(page)).toHaveCount(0)
  await asTimePasses(page, () => api.deliveriesNamed('Drum')).toHaveLength(1)
  expect(await api.deliveriesNamed('Half typed')).toEqual([])
  // The second frees a worker that Chromium keeps waiting (update-now.ts).
  expect(loads.times).toBeLessThanOrEqual(2)
  await page.context().close()
})
