import { type Browser, expect, type Page, test } from '@playwright/test'
import { admin } from '../../helpers/server/app-server.ts'
import { appOpened } from '../helpers/page/app-opened.ts'
import { navigateTo, openPhone } from '../helpers/page/open-phone.ts'
import { installed } from '../helpers/page/worker.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture } from '../helpers/server/server-fixture.ts'

/* R2, R3: guarded screens and the tabs of the bars in the app (the pure functions: tests/app/paths.test.ts). */

const fixture = serverFixture()
const api = serverApi(fixture)

// Each test opens every route three times.
test.describe.configure({ timeout: 120_000 })

type Role = 'guest' | 'sender' | 'pending driver' | 'rejected driver' | 'approved driver' | 'admin'
const guarded = ['/driver-pending', '/profile'] as const
const adminRoutes = [
  '/admin',
  '/admin/deliveries',
  '/admin/drivers',
  '/admin/users',
  '/admin/disputes',
  '/admin/settings',
] as const
const open = ['/', '/send', '/drive', '/outbox'] as const
type Guarded = (typeof guarded)[number] | 'admin' | '/auth'

const stays = 'stays'
const table: Record<Role, Record<Guarded, string> & { tabs: string[]; brand: string }> = {
  guest: {
    '/driver-pending': '/auth',
    '/profile': '/auth',
    admin: '/auth',
    '/auth': stays,
    tabs: ['Home', 'Send'],
    brand: '/',
  },
  sender: {
    '/driver-pending': '/',
    '/profile': stays,
    admin: '/',
    '/auth': '/send',
    tabs: ['Send', 'Account'],
    brand: '/send',
  },
  'pending driver': {
    '/driver-pending': stays,
    '/profile': stays,
    admin: '/',
    '/auth': '/driver-pending',
    tabs: ['Home', 'Account'],
    brand: '/',
  },
  'rejected driver': {
    '/driver-pending': stays,
    '/profile': stays,
    admin: '/',
    '/auth': '/driver-pending',
    tabs: ['Home', 'Account'],
    brand: '/',
  },
  'approved driver': {
    '/driver-pending': '/drive',
    '/profile': stays,
    admin: '/',
    '/auth': '/drive',
    tabs: ['Home', 'Send', 'Drive', 'Account'],
    brand: '/',
  },
  admin: {
    '/driver-pending': '/',
    '/profile': stays,
    admin: stays,
    '/auth': '/admin',
    tabs: ['Home', 'Send', 'Account'],
    brand: '/',
  },
}
const roles = Object.keys(table) as Role[]

const tokenOf: Record<Role, () => Promise<{ token: string } | undefined>> = {
  guest: async () => undefined,
  sender: () => api.createAccount('Abena Asante', 'sender'),
  'pending driver': () => api.createAccount('Kwesi Waiting', 'driver'),
  'rejected driver': async () => {
    const person = await api.createAccount('Kojo Turned', 'driver')
    await api.asAdmin('reviewDriver', { id: person.id, body: { status: 'rejected' } })
    return person
  },
  'approved driver': () => api.createDriver('Ama Driver'),
  admin: () => api.ask('login', { body: admin }),
}

for (const role of roles)
  test(`Where ${role === 'guest' ? 'somebody signed out' : `the ${role}`} lands, and what the bars list, online, reloaded and offline`, async ({
    browser,
  }) => {
    const options = { origin: fixture().origin, serviceWorkers: 'allow' } as const
    const page = await openPhone(browser, api, await tokenOf[role](), options)
    await installed(page)
    await walksEverywhere(page, role)

    // Opened by its URL: the guard decides before the screen renders.
    await page.goto(`${fixture().origin}/profile`)
    await appOpened(page)
    await expect(page).toHaveURL(landing(role, '/profile', '/profile'))

    await page.context().setOffline(true)
    await page.goto(fixture().origin)
    await appOpened(page)
    await walksEverywhere(page, role)
    await page.context().close()
  })

const landing = (role: Role, path: string, row: Guarded) => {
  const to = table[role][row]
  return `${fixture().origin}${to === stays ? path : to}`
}

async function walksEverywhere(page: Page, role: Role) {
  for (const path of open) await lands(page, role, path, fixture().origin + path)
  for (const path of [...guarded, '/auth'] as const)
    await lands(page, role, path, landing(role, path, path))
  for (const path of adminRoutes) await lands(page, role, path, landing(role, path, 'admin'))
  await navigateTo(page, '/')
  await bars(page, role)
}

async function lands(page: Page, role: Role, path: string, on: string) {
  await test.step(`${role} at ${path}`, async () => {
    await navigateTo(page, '/')
    await navigateTo(page, path)
    await expect(page).toHaveURL(on)
    const shown = new URL(on).pathname
    const hidden = shown.startsWith('/admin')
    await expect(page.getByRole('navigation', { name: 'Tabs' })).toHaveCount(hidden ? 0 : 1)
  })
}

/** The tab bar on a phone, the top bar on a desktop: only one of them, with the same links. */
async function bars(page: Page, role: Role) {
  const { tabs, brand } = table[role]
  const bottom = page.getByRole('navigation', { name: 'Tabs' })
  const top = page.getByRole('navigation', { name: 'Main' })
  await expect(bottom.getByRole('link')).toHaveText(tabs)
  await expect(top).toBeHidden()
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(top.getByRole('link')).toHaveText(tabs)
  await expect(bottom).toBeHidden()
  await page.setViewportSize({ width: 360, height: 740 })
  const header = page.getByRole('banner')
  const has = (name: string, there: boolean) =>
    expect(header.getByRole('link', { name, exact: true })).toHaveCount(there ? 1 : 0)
  await has('Login', role === 'guest')
  await has('Admin', role === 'admin')
  await expect(header.getByRole('link', { name: 'Soma' })).toHaveAttribute('href', brand)
}

const direct: [Role, string, string][] = [
  ['sender', '/profile', '/profile'],
  ['pending driver', '/driver-pending', '/driver-pending'],
  ['approved driver', '/driver-pending', '/drive'],
  ['admin', '/admin/users', '/admin/users'],
]
for (const kept of ['token', 'token and user'] as const)
  test(`R3: A phone with only ${kept} in local storage opens guarded screens without a redirect to Login`, async ({
    browser,
  }) => {
    for (const [role, path, lands] of direct) {
      const token = (await tokenOf[role]())?.token ?? ''
      const user = kept === 'token' ? undefined : (await api.ask('me', { token })).user
      const { page, seen } = await opened(browser, path, { token, user })
      await expect(page).toHaveURL(fixture().origin + lands)
      await expect(page.locator('#main')).toBeVisible()
      expect(new Set(seen), `${role} at ${path}`).toEqual(new Set([path, lands]))
      await page.context().close()
    }
  })

test('R12: A phone with an ended token is shown Login', async ({ browser }) => {
  const { page } = await opened(browser, '/profile', { token: 'of-another-time', user: undefined })
  await expect(page).toHaveURL(`${fixture().origin}/auth`)
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await page.context().close()
})

type Kept = { token: string; user: object | undefined }

/** Opens a path in a browser that has only this local storage; `seen` are the paths it was redirected through. */
async function opened(browser: Browser, path: string, { token, user }: Kept) {
  const context = await browser.newContext({ serviceWorkers: 'block' })
  await context.addInitScript(
    ([key, person]) => {
      if (localStorage.getItem('cacheVersion')) return
      localStorage.setItem('cacheVersion', '1.2.3')
      localStorage.setItem('token', key ?? '')
      if (person) localStorage.setItem('user', person)
    },
    [token, user && JSON.stringify(user)],
  )
  const page = await context.newPage()
  const seen: string[] = []
  page.on('framenavigated', (frame) => seen.push(new URL(frame.url()).pathname))
  // The server has responded with the token's user, and the screen shows the result.
  await Promise.all([page.waitForResponse('**/api/users/me'), page.goto(fixture().origin + path)])
  return { page, seen }
}

test('The delivery screen and the admin area have their own headers', async ({ browser }) => {
  const page = await openPhone(browser, api, undefined, { origin: fixture().origin })
  await navigateTo(page, '/delivery/019352f0-0000-7000-8000-000000000000')
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await page.getByRole('link', { name: 'Back' }).click()
  await expect(page).toHaveURL(`${fixture().origin}/`)
  await page.context().close()
})

test('Every page title has the product’s name', async ({ browser }) => {
  const page = await openPhone(browser, api, undefined, { origin: fixture().origin })
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
  await page.context().close()
})
