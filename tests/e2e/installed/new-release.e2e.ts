import { type Browser, expect, test } from '@playwright/test'
import { openPhone } from '../helpers/page/open-phone.ts'
import { expectRelease, loadsOf, releaseFixture, settleRelease } from '../helpers/server/release.ts'
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
