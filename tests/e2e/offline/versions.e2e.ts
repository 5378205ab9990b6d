import { expect, type Page } from '@playwright/test'
import { axeViolations } from '../helpers/page/axe.ts'
import { navigateTo, openPhone } from '../helpers/page/open-phone.ts'
import { entry, fillRequest, kofi, submitRequest } from '../helpers/page/page-actions.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { inTheme } from '../helpers/page/theme.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'

/* An older app before a newer server (S48). Without a worker, whose requests no test can replace. */

const fixture = serverFixture()
const api = serverApi(fixture)

const calls = '**/api/**'
const tooOld = { error: 'Please update the app.', reason: 'update' }

async function looks(page: Page, name: string) {
  for (const theme of ['light', 'dark'] as const) {
    await inTheme(page, theme)
    await screenshot(page, `${name}-${theme}`)
    expect(await axeViolations(page, { colorScheme: theme })).toEqual([])
  }
}

test('S48: An app that is too old says so, keeps what was saved, and sends it after the update', async ({
  browser,
}) => {
  const item = 'Kente cloth'
  const page = await openPhone(browser, api, undefined, { origin: `${fixture().origin}/send` })
  await fillRequest(page, { item, seed: 81 }, kofi)
  await page.route(calls, async (route) => {
    const path = new URL(route.request().url()).pathname
    // Uploads and the settings are for every version.
    if (path.endsWith('/images/upload')) return route.continue()
    if (!path.endsWith('/config')) return route.fulfill({ status: 426, json: tooOld })
    const response = await route.fetch()
    return route.fulfill({ response, json: { ...(await response.json()), minClientVersion: 1e6 } })
  })
  await submitRequest(page)
  const bar = page.getByRole('region', { name: 'Update' })
  await expect(bar).toContainText('Update to continue')
  await expect(bar).toContainText('1 item goes after the update')
  await navigateTo(page, '/outbox')
  await expect(entry(page, `Request: ${item}`)).toContainText('Not sent yet')
  await expect(bar).toBeVisible()
  await looks(page, 'update-to-continue')
  expect(await api.deliveriesNamed(item)).toEqual([])

  // The page that the reload brings is taken by the server again.
  await page.unroute(calls)
  await bar.getByRole('button', { name: 'Update' }).click()
  await expect(bar).toBeHidden()
  await expect.poll(() => api.deliveriesNamed(item)).toHaveLength(1)
  await close(page)
})

/** A request may still be under way when a test ends. */
async function close(page: Page) {
  await page.context().unrouteAll({ behavior: 'ignoreErrors' })
  await page.context().close()
}
