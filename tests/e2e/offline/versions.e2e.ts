import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { admin } from '../../helpers/server/app-server.ts'
import { axeViolations } from '../helpers/page/axe.ts'
import { navigateTo } from '../helpers/page/open-phone.ts'
import { entry, fillRequest, kofi, logIn, submitRequest } from '../helpers/page/page-actions.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { inTheme } from '../helpers/page/theme.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture } from '../helpers/server/server-fixture.ts'

/* An older app before a newer server (S48). Without a worker, whose requests no test can replace. */

const fixture = serverFixture()
const api = serverApi(fixture)
test.use({ serviceWorkers: 'block', viewport: { width: 360, height: 740 } })

const calls = '**/api/**'
const tooOld = { error: 'Please update the app.', reason: 'update' }

/** Screenshots on a phone and a desktop, light and dark, each looked at by axe. */
async function looks(page: Page, name: string) {
  for (const theme of ['light', 'dark'] as const) {
    await inTheme(page, theme)
    await screenshot(page, `${name}-phone-${theme}`)
    expect(await axeViolations(page, { colorScheme: theme })).toEqual([])
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await screenshot(page, `${name}-desktop`)
  await page.setViewportSize({ width: 360, height: 740 })
}

test('S48: An app that is too old says so, keeps what was saved, and sends it after the update', async ({
  page,
}) => {
  const item = 'Kente cloth'
  await page.goto(`${fixture().origin}/send`)
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
  await expect.poll(() => api.deliveriesNamed(item), { timeout: 20_000 }).toHaveLength(1)
})

test('S48: Rows that only a newer app can show are counted, and the others are shown', async ({
  page,
  context,
}) => {
  const abena = await api.createAccount('Abena Asante', 'sender')
  await page.goto(fixture().origin)
  await logIn(page, abena)
  const item = 'Brass lamp'
  await fillRequest(page, { item, seed: 82 })
  const id = await submitRequest(page)
  await expect.poll(() => api.deliveriesNamed(item), { timeout: 20_000 }).toHaveLength(1)
  await newerServer(context, id)
  await navigateTo(page, '/deliveries')
  const notice = page.getByText('1 delivery needs a newer version of Soma.')
  await expect(notice).toBeVisible({ timeout: 20_000 })
  await looks(page, 'update-to-see-list')
  await navigateTo(page, `/delivery/${id}`)
  await expect(page.getByText('Update to see this')).toBeVisible({ timeout: 20_000 })
  await looks(page, 'update-to-see-room')
})

// A request may still be under way when a test ends.
test.afterEach(({ context }) => context.unrouteAll({ behavior: 'ignoreErrors' }))

test('S48: An admin is told of rows that only a newer app can show', async ({ page, context }) => {
  const sender = await api.createAccount('Efua Newer', 'sender')
  const made = await api.createDelivery(sender, { itemDescription: 'A lantern' })
  await api.createDelivery(await api.createAccount('Kojo Older', 'sender'), {
    itemDescription: 'A kettle',
  })
  await newerServer(context, made.ID)
  await page.goto(fixture().origin)
  await logIn(page, admin)
  await navigateTo(page, '/admin/deliveries')
  const notice = page.getByText('1 row needs a newer version of Soma.')
  await expect(notice).toBeVisible({ timeout: 20_000 })
  await expect(page.getByRole('button', { name: 'A kettle' })).toBeVisible()
  // Nothing of it is for the person to mend.
  await expect(page.getByText(/to fix/)).toHaveCount(0)
  await looks(page, 'update-to-see-admin')
})

/** From now on the server has a status for this delivery that this app does not know. */
async function newerServer(context: BrowserContext, id: string) {
  await context.route(calls, async (route) => {
    if (route.request().method() !== 'GET') return route.continue()
    // What did not change is answered without a body: everything is asked for anew.
    const { 'if-none-match': _, ...headers } = route.request().headers()
    const url = new URL(route.request().url())
    url.searchParams.delete('since')
    if (url.pathname.endsWith('/events')) return route.abort()
    const response = await route.fetch({ headers, url: url.href })
    const body = await response.text()
    if (!body.includes(id)) return route.fulfill({ response, body })
    const changed = JSON.parse(body, (_, value) =>
      value?.ID === id ? { ...value, status: 'At the depot' } : value,
    )
    return route.fulfill({ response, json: changed })
  })
}
