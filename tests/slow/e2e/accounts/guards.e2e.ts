import { expect, type Page } from '@playwright/test'
import { appOpened } from '../../../e2e/helpers/page/app-opened.ts'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { offline } from '../../../e2e/helpers/page/page-actions.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

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

test('R3: Offline the guards and the bars are the same, also where the page is opened there', async ({
  browser,
}) => {
  const role = 'approved driver'
  const options = { ...at(), serviceWorkers: 'allow' } as const
  const page = await openPhone(browser, api, await tokenOf[role](), options)
  await offline(page)
  await page.goto(`${fixture().origin}/driver-pending`)
  await appOpened(page)
  await expect(page).toHaveURL(`${fixture().origin}/drive`)
  await landsWhereTold(page, role)
  await hasBars(page, role)
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
