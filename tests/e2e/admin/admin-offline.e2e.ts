import { expect } from '@playwright/test'
import { admin } from '../../helpers/server/app-server.ts'
import { cutOff } from '../helpers/page/layout-checks.ts'
import { navigateTo, openPhone } from '../helpers/page/open-phone.ts'
import { test } from '../helpers/server/server-fixture.ts'
import { adminOfflineSuite } from './offline-suite.ts'

/* Each admin screen offline, at one size each (both, and axe: tests/slow/e2e/admin). */

const { fixture, api } = adminOfflineSuite(
  { 'never opened': ['narrow'], 'opened before': ['wide'] },
  async (page) => expect(await cutOff(page)).toEqual([]),
)

test('An unknown user or dispute is shown as not found', async ({ browser }) => {
  const person = await api.ask('login', { body: admin })
  const page = await openPhone(browser, api, person, { origin: fixture().origin })
  const nowhere = '019352f0-0000-7000-8000-000000000000'
  await navigateTo(page, `/admin/users/${nowhere}`)
  await expect(page.getByRole('heading', { name: 'No such user' })).toBeVisible()
  await navigateTo(page, `/admin/disputes/${nowhere}`)
  await expect(page.getByRole('heading', { name: 'No such dispute' })).toBeVisible()
  await page.context().close()
})
