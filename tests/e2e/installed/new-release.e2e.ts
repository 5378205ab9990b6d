import { type Browser, expect, test } from '@playwright/test'
import { appOpened } from '../helpers/page/app-opened.ts'
import { openPhone } from '../helpers/page/open-phone.ts'
import {
  expectRelease,
  loadsOf,
  lookForUpdate,
  releaseFixture,
  releaseOf,
  settleRelease,
  updateBar,
} from '../helpers/server/release.ts'
import { serverApi } from '../helpers/server/server-api.ts'

/* Version N+1 over version N, in the middle of everything. */

const { fixture, release } = releaseFixture()
const api = serverApi(fixture)
const open = (browser: Browser, path = '') =>
  openPhone(browser, api, undefined, {
    origin: `${fixture().origin}${path}`,
    clock: true,
    serviceWorkers: 'allow',
  })

test('R83: A new release is found within the hour and reloads a page on which nothing is typed, which a first visit is not', async ({
  browser,
}) => {
  const page = await open(browser)
  const loads = loadsOf(page)
  release('second')
  await page.clock.fastForward('30:00')
  // Had it been looked for, it would be found with the next answer.
  await page.evaluate(async () => (await fetch('/robots.txt')).text())
  expect(loads.times).toBe(0)
  await page.clock.fastForward('31:00')
  await settleRelease(page)
  await expectRelease(page, 'second')
  await expect.poll(() => loads.times).toBe(1)
  await page.context().close()
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
