import { expect, type Page } from '@playwright/test'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import {
  asTimePasses,
  entry,
  fillRequest,
  logIn,
  offline,
  online,
  pill,
  submitRequest,
} from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

/* Unsent entries: shown, exported, cancelled, edited, and handled at logout. */

const fixture = serverFixture()
const api = serverApi(fixture)
const at = () => ({
  origin: `${fixture().origin}/send`,
  clock: true,
  serviceWorkers: 'allow' as const,
})

test('A logout with unsent entries asks; kept entries wait while another person uses the phone', async ({
  browser,
}) => {
  const akosua = await api.createAccount('Akosua Boafo', 'sender')
  const kojo = await api.createAccount('Kojo Antwi', 'sender')
  const page = await openPhone(browser, api, akosua, at())
  await offline(page)
  await fillRequest(page, { item: 'School uniform', seed: 25 })
  await submitRequest(page)
  await expect(pill(page)).toHaveText('Offline · 1 waiting')
  await logOut(page)
  await expect(page.getByRole('dialog', { name: '1 saved item not sent yet' })).toBeVisible()
  await screenshot(page, 'outbox-6-logout-asks')
  await page.getByRole('button', { name: 'Keep them for my next login' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome to Soma' })).toBeVisible()
  await expect(pill(page)).toHaveText('Offline')

  await online(page)
  await logIn(page, kojo)
  await navigateTo(page, '/outbox')
  await expect(page.getByRole('heading', { name: 'All caught up' })).toBeVisible()
  await expect(page.getByText('Connected')).toBeVisible()
  expect(await api.deliveriesNamed('School uniform')).toEqual([])

  await navigateTo(page, '/send')
  await fillRequest(page, { item: 'Blender', seed: 27 })
  fixture().proxy.set({ kind: 'cut' })
  await submitRequest(page)
  await asTimePasses(page, () => pill(page).textContent()).toBe('Offline · 1 waiting')
  await logOut(page)
  fixture().proxy.set({ kind: 'fine' })
  await page.getByRole('button', { name: 'Try to send, then log out' }).click()
  await expect(page.getByRole('link', { name: 'Login' })).toBeVisible()
  expect(await api.deliveriesNamed('Blender')).toHaveLength(1)

  await logIn(page, akosua)
  await navigateTo(page, '/outbox')
  await expect(entry(page, 'Requested: School uniform')).toContainText('Sent')
  expect(await api.deliveriesNamed('School uniform')).toEqual([
    expect.objectContaining({ sender: expect.objectContaining({ id: akosua.id }) }),
  ])
  await page.context().close()
})

async function logOut(page: Page) {
  await navigateTo(page, '/profile')
  await page.getByRole('button', { name: 'Logout' }).click()
}
