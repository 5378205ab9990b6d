import { type Browser, expect, type Page } from '@playwright/test'
import { navigateTo, openPhone } from '../helpers/page/open-phone.ts'
import {
  entry,
  fillRequest,
  logIn,
  offline,
  online,
  pill,
  submitRequest,
} from '../helpers/page/page-actions.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { type Account, serverApi } from '../helpers/server/server-api.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'

/* The engine on a phone: events, uploads, sign-in during a queue, and storage. */

const fixture = serverFixture()
const api = serverApi(fixture)

const openForm = (browser: Browser, person?: Account, prepare?: (page: Page) => Promise<unknown>) =>
  openPhone(browser, api, person, {
    origin: `${fixture().origin}/send`,
    clock: true,
    serviceWorkers: 'allow',
    prepare,
  })

test('S14: when the session ends during a queue, the phone asks to log in, shows how much waits, and then sends it', async ({
  browser,
}) => {
  const esi = await api.createAccount('Esi Quaye', 'sender')
  const item = 'Wall clock'
  const page = await openForm(browser, esi)
  await offline(page)
  await fillRequest(page, { item, seed: 41 })
  await submitRequest(page)
  await api.ask('logout', { token: esi.token })
  await online(page)
  await navigateTo(page, '/outbox')
  // The upload needs no token; the request does.
  await expect(page.getByText('Sign in to send 1 saved item')).toBeVisible()
  await expect(pill(page)).toHaveText('Sign in · 1 waiting')
  await expect(entry(page, `Request: ${item}`)).toContainText('Sends when you log in.')
  await screenshot(page, 'engine-1-sign-in-to-send')
  await logIn(page, esi)
  await navigateTo(page, '/outbox')
  await expect(entry(page, `Requested: ${item}`)).toContainText('Sent')
  expect(await api.deliveriesNamed(item)).toHaveLength(1)
  await page.context().close()
})
