import { type BrowserContext, expect, type Page } from '@playwright/test'
import { axeViolations } from '../../../e2e/helpers/page/axe.ts'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import {
  asTimePasses,
  entry,
  fillRequest,
  kofi,
  submitRequest,
} from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { inTheme } from '../../../e2e/helpers/page/theme.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { admin } from '../../../helpers/server/app-server.ts'

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

test('S48: Rows that only a newer app can show are counted, for an admin too, and the others are shown', async ({
  browser,
}) => {
  const abena = await api.createAccount('Abena Asante', 'sender')
  const lamp = await api.createDelivery(abena, { itemDescription: 'Brass lamp' })
  const id = lamp.ID
  const page = await openPhone(browser, api, abena, {
    origin: `${fixture().origin}/deliveries`,
    clock: true,
    prepare: (page) => newerServer(page.context(), id),
  })
  await expect(page.getByText('1 delivery needs a newer version of Soma.')).toBeVisible()
  await expect(page.getByText('No deliveries yet')).toHaveCount(0)
  await api.completeDelivery(await api.createDriver('Yaw Driver'), lamp)
  await api.ask('changeStatus', { token: abena.token, id, body: { status: 'Approved' } })
  await api.createDelivery(abena, { itemDescription: 'A kettle' })
  await asTimePasses(page, () => page.getByText('A kettle').isVisible(), 10_000).toBe(true)
  await expect(page.getByText('1 delivery needs a newer version of Soma.')).toBeVisible()
  await looks(page, 'update-to-see-list')
  await navigateTo(page, `/delivery/${id}`)
  await expect(page.getByText('Only a newer version of Soma can show this')).toBeVisible()
  await looks(page, 'update-to-see-room')
  await close(page)

  const desk = await openPhone(browser, api, await api.ask('login', { body: admin }), {
    origin: `${fixture().origin}/admin/deliveries`,
    prepare: (page) => newerServer(page.context(), id),
  })
  await expect(desk.getByText('1 row needs a newer version of Soma.')).toBeVisible()
  await expect(desk.getByRole('button', { name: 'A kettle' })).toBeVisible()
  // Nothing of it is for the person to mend.
  await expect(desk.getByText(/to fix/)).toHaveCount(0)
  await looks(desk, 'update-to-see-admin')
  await close(desk)
})

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
