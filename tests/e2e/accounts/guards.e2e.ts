import { type Browser, expect, type Page } from '@playwright/test'
import { navigateTo, openPhone } from '../helpers/page/open-phone.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'

/* R2, R3: guarded screens and the tabs of the bars in the app (every path and visitor: tests/app/paths.test.ts). */

const fixture = serverFixture()
const api = serverApi(fixture)
const at = () => ({ origin: fixture().origin })

type Role = 'guest' | 'approved driver'
const guarded = ['/driver-pending', '/profile', '/admin/users', '/auth'] as const

/** Where each guarded path leads, what the bars list, and where the logo leads. */
type Row = Record<(typeof guarded)[number], string> & { tabs: string[]; brand: string }

const table: Record<Role, Row> = {
  guest: {
    '/driver-pending': '/auth',
    '/profile': '/auth',
    '/admin/users': '/auth',
    '/auth': '/auth',
    tabs: ['Home', 'Send'],
    brand: '/',
  },
  'approved driver': {
    '/driver-pending': '/drive',
    '/profile': '/profile',
    '/admin/users': '/',
    '/auth': '/drive',
    tabs: ['Home', 'Send', 'Drive'],
    brand: '/',
  },
}

const tokenOf: Record<Role, () => Promise<{ token: string } | undefined>> = {
  guest: async () => undefined,
  'approved driver': () => api.createDriver('Ama Driver'),
}

test('R2, R3: Where a guest lands, what the bars list, and what each page is titled', async ({
  browser,
}) => {
  const page = await openPhone(browser, api, undefined, at())
  await landsWhereTold(page, 'guest')
  await hasBars(page, 'guest')
  for (const [path, title] of [
    ['/', 'Soma · Home'],
    ['/send', 'Soma · Send a Package'],
    ['/drive', 'Soma · Drive'],
    ['/auth', 'Soma · Login'],
    ['/outbox', 'Soma · Outbox'],
  ] as const) {
    await navigateTo(page, path)
    await expect(page).toHaveTitle(title)
  }
  await navigateTo(page, '/delivery/019352f0-0000-7000-8000-000000000000')
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await page.getByRole('link', { name: 'Back' }).click()
  await expect(page).toHaveURL(`${fixture().origin}/`)
  await page.context().close()
})

async function landsWhereTold(page: Page, role: Role) {
  for (const path of guarded) {
    await navigateTo(page, '/outbox')
    await expect(page).toHaveURL(`${fixture().origin}/outbox`)
    await navigateTo(page, path)
    await expect(page).toHaveURL(fixture().origin + table[role][path])
  }
}

/** The tab bar on a phone, the top bar on a desktop: only one of them, with the same links. */
async function hasBars(page: Page, role: Role) {
  const { tabs, brand } = table[role]
  await navigateTo(page, '/')
  const bottom = page.getByRole('navigation', { name: 'Tabs' })
  const top = page.getByRole('navigation', { name: 'Main' })
  await expect(bottom.getByRole('link')).toHaveText(tabs)
  await expect(top).toBeHidden()
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(top.getByRole('link')).toHaveText(tabs)
  await expect(bottom).toBeHidden()
  const header = page.getByRole('banner')
  const link = (name: string) => header.getByRole('link', { name, exact: true })
  const profile = role === 'guest' ? 0 : 1
  await expect(link('Profile')).toHaveCount(profile)
  await page.setViewportSize({ width: 360, height: 740 })
  await expect(link('Profile').filter({ visible: true })).toHaveCount(profile)
  await expect(link('Login')).toHaveCount(role === 'guest' ? 1 : 0)
  await expect(link('Soma')).toHaveAttribute('href', brand)
}

test('R3: A phone with only a token in local storage opens a guarded screen without a redirect to Login', async ({
  browser,
}) => {
  const token = (await tokenOf['approved driver']())?.token ?? ''
  const { page, seen } = await opened(browser, '/driver-pending', token)
  await expect(page).toHaveURL(`${fixture().origin}/drive`)
  await expect(page.locator('#main')).toBeVisible()
  expect(new Set(seen)).toEqual(new Set(['/driver-pending', '/drive']))
  await page.context().close()
})

test('R12: A phone with an ended token is shown Login', async ({ browser }) => {
  const { page } = await opened(browser, '/profile', 'of-another-time')
  await expect(page).toHaveURL(`${fixture().origin}/auth`)
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await page.context().close()
})

/** Opens a path in a browser that has only this token in local storage; `seen` are the paths it was redirected through. */
async function opened(browser: Browser, path: string, token: string) {
  const context = await browser.newContext({ serviceWorkers: 'block' })
  await context.addInitScript((key) => {
    if (localStorage.getItem('cacheVersion')) return
    localStorage.setItem('cacheVersion', '1.2.3')
    localStorage.setItem('token', key)
  }, token)
  const page = await context.newPage()
  const seen: string[] = []
  page.on('framenavigated', (frame) => seen.push(new URL(frame.url()).pathname))
  // The server has responded with the token's user, and the screen shows the result.
  await Promise.all([page.waitForResponse('**/api/users/me'), page.goto(fixture().origin + path)])
  return { page, seen }
}
