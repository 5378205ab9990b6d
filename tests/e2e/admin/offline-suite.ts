import { type Browser, expect, type Page } from '@playwright/test'
import { referenceOf } from '#domain/deliveries/reference.ts'
import { admin } from '../../helpers/server/app-server.ts'
import { navigateTo, openPhone } from '../helpers/page/open-phone.ts'
import { seesOffline, storedRows } from '../helpers/page/page-actions.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { type ServerApi, serverApi } from '../helpers/server/server-api.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'

/* Each admin screen offline: it shows nothing untrue and no endless loading. */

let at: { person: string; driver: string; dispute: string; delivery: string }

async function prepare(api: ServerApi) {
  const ama = await api.createAccount('Ama Kept', 'sender')
  const yaw = await api.createDriver('Yaw Kept')
  const made = await api.createDelivery(ama, { itemDescription: 'A mirror' })
  await api.completeDelivery(yaw, made)
  const body = { deliveryId: made.ID, issue: 'It came broken', type: 'sender_issue' } as const
  const { dispute } = await api.ask('createDispute', {
    token: ama.token,
    body: { ...body, priority: 'medium' },
  })
  at = { person: ama.id, driver: yaw.id, dispute: dispute.ID, delivery: made.ID }
}

type Screen = { name: string; path: () => string; never: RegExp[]; before: RegExp[] }

const notKept = /Not available offline/
const screens: Screen[] = [
  {
    name: 'dashboard',
    path: () => '/admin',
    never: [/figures come when/, /charts come when/, /latest activity comes when/],
    before: [/Revenue/, /The last 30 days/, /Recent activities/, /A mirror/],
  },
  {
    name: 'deliveries',
    path: () => '/admin/deliveries',
    never: [notKept],
    before: [/A mirror/, /Offline: this page is saved on this device/],
  },
  {
    name: 'drivers',
    path: () => '/admin/drivers',
    never: [notKept],
    before: [/Yaw Kept/, /Ghana Card/, /Offline: this page is saved on this device/],
  },
  {
    name: 'users',
    path: () => '/admin/users',
    never: [notKept],
    before: [/Ama Kept/, /admin@soma.test/, /Offline: this page is saved on this device/],
  },
  {
    name: 'disputes',
    path: () => '/admin/disputes',
    never: [notKept],
    before: [/It came broken/, /Offline: this page is saved on this device/],
  },
  {
    name: 'money',
    path: () => '/admin/money',
    never: [/figures come when/, notKept],
    before: [/all that was promised/, /The last 30 days/, /Nothing to pay/],
  },
  {
    name: 'settings',
    path: () => '/admin/settings',
    never: [notKept],
    before: [/Osu/, /Groceries/],
  },
  {
    name: 'a user',
    path: () => `/admin/users/${at.person}`,
    never: [/person's details come when you're back online/],
    before: [/Ama Kept/, /A mirror/],
  },
  {
    name: 'a dispute',
    path: () => `/admin/disputes/${at.dispute}`,
    never: [/This dispute comes when you're back online/],
    before: [/It came broken/, /Received at/, /Contacts/],
  },
]
/** Statements that are only true after a response of the server. */
const untrue =
  /No active disputes|running smoothly|No drivers found|No deliveries found|No results|No activity yet|No pending/
const sizes = { narrow: { width: 360, height: 740 }, wide: { width: 1280, height: 900 } }
const themes = { narrow: 'dark', wide: 'light' } as const
export type Size = keyof typeof sizes

const away = (page: Page) => page.route('**/api/**', (route) => route.abort())

/** Tests that each admin screen offline shows nothing untrue and no endless loading. */
export function adminOfflineSuite(
  tested: Record<'never opened' | 'opened before', readonly Size[]>,
  check: (page: Page, screen: string) => Promise<unknown>,
) {
  const fixture = serverFixture()
  const api = serverApi(fixture)
  test.beforeAll(() => prepare(api))
  const openAdmin = async (
    browser: Browser,
    size: Size,
    before?: (page: Page) => Promise<unknown>,
  ) =>
    openPhone(browser, api, await api.ask('login', { body: admin }), {
      origin: fixture().origin,
      viewport: sizes[size],
      prepare: before,
      clock: true,
      colorScheme: themes[size],
      reducedMotion: 'reduce',
    })

  for (const size of tested['never opened'])
    test(`Offline, never opened: ${size}`, async ({ browser }) => {
      const page = await openAdmin(browser, size, away)
      for (const { name, path, never } of screens)
        await test.step(name, async () => {
          await navigateTo(page, path())
          await expect(page.locator('#main')).not.toContainText('(0)')
          await shows(page, never, `admin-never-${name}-${size}`)
          await expect(page.locator('#main')).not.toContainText(untrue)
          await check(page, name)
        })
      await page.context().close()
    })

  for (const size of tested['opened before'])
    test(`Offline, opened before: ${size}`, async ({ browser }) => {
      const page = await openAdmin(browser, size)
      // The lists of the settings are the send form's, which every phone has.
      const opened = screens.filter(({ name }) => name !== 'settings')
      for (const screen of opened) await open(page, screen)
      await away(page)
      await page.getByRole('link', { name: 'Dashboard' }).click()
      await seesOffline(page)
      for (const { name, path, before } of screens)
        await test.step(name, async () => {
          await navigateTo(page, path())
          await shows(page, before, `admin-before-${name}-${size}`)
          await check(page, name)
        })
      await navigateTo(page, '/admin/deliveries')
      await page
        .getByRole('button', { name: /A mirror/ })
        .locator('visible=true')
        .click()
      const details = page.getByRole('dialog', { name: 'A mirror' })
      await expect(details).toContainText(referenceOf(at.delivery))
      await screenshot(page, `admin-before-details-${size}`)
      await page.context().close()
    })
  return { fixture, api }
}

/** Opens a screen online, until the phone has stored the server's page of it. */
async function open(page: Page, { name, path, before }: Screen) {
  const since = await page.evaluate(() => Date.now())
  await navigateTo(page, path())
  const shown = before.filter((text) => !`${text}`.includes('Offline'))
  for (const text of shown) await expect(page.locator('#main')).toContainText(text)
  await expect(page.locator('.skeleton')).toHaveCount(0)
  // Rows that the phone holds are shown before the server's page is stored.
  if (shown.length < before.length)
    await expect.poll(() => storedPages(page, since)).toContain(name)
}

/** The screens whose page was stored since then, in milliseconds. */
async function storedPages(page: Page, since: number): Promise<string[]> {
  const pages = (await storedRows(page, 'pages')) as { list: string; at: number }[]
  return pages
    .filter(({ at }) => at >= since)
    .map(({ list }) => list.replace(/^admin/, '').toLowerCase())
}

async function shows(page: Page, texts: RegExp[], picture: string) {
  for (const text of texts) await expect(page.locator('#main')).toContainText(text)
  await expect(page.locator('.skeleton')).toHaveCount(0)
  await screenshot(page, picture.replaceAll(' ', '-'))
}
