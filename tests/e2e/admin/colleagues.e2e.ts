import { expect } from '@playwright/test'
import { admin } from '../../helpers/server/app-server.ts'
import { expectAccessible } from '../helpers/page/expect-accessible.ts'
import { navigateTo, openPhone } from '../helpers/page/open-phone.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'

const fixture = serverFixture()
const api = serverApi(fixture)

test('R209, R210, R212: a colleague is invited, joins as support, and opens nothing of money', async ({
  browser,
}) => {
  const { token } = await api.ask('login', { body: admin })
  const page = await openPhone(browser, api, { token }, { origin: fixture().origin })
  await navigateTo(page, '/admin/colleagues')
  await page.getByLabel('Their email').fill('yaa@soma.test')
  await page.getByRole('button', { name: 'Make an invitation link' }).click()
  const link = (await page.getByText('/invitation#').textContent()) ?? ''
  await expect(page.getByText('Invited', { exact: true })).toBeVisible()
  await expectAccessible(page, 'admin colleagues')

  const context = await browser.newContext({ viewport: { width: 360, height: 740 } })
  const other = await context.newPage()
  await other.goto(link)
  await other.getByLabel('Your name').fill('Yaa Boateng')
  await other.getByLabel('Password', { exact: true }).fill('a long password')
  await other.getByRole('button', { name: 'Join' }).click()
  await expect(other).toHaveURL(/\/admin$/)
  const nav = other.getByRole('navigation', { name: 'Admin' })
  await expect(nav.getByRole('link', { name: 'Deliveries' })).toBeVisible()
  await expect(nav.getByRole('link', { name: 'Money' })).toHaveCount(0)
  await navigateTo(other, '/admin/money')
  await expect(other.getByText('Only admins open this')).toBeVisible()
  // Nothing that support may not do stands on the screens that it opens.
  const sender = await api.createAccount('Ama Mensah', 'sender')
  const made = await api.createDelivery(sender, {})
  await navigateTo(other, `/admin/deliveries?open=${made.ID}`)
  const actions = other.getByRole('region', { name: 'Actions' })
  await expect(actions.getByRole('button', { name: 'Correct' })).toBeVisible()
  await api.completeDelivery(await api.createDriver('Kojo Ansah'), made)
  const timeline = other.getByRole('region', { name: 'Timeline' })
  await expect(timeline.getByText('Delivered', { exact: true })).toBeVisible()
  await expect(actions.getByRole('button', { name: 'Open dispute' })).toBeVisible()
  await expect(actions.getByRole('button', { name: 'Approve for sender' })).toHaveCount(0)
  const applicant = await api.createAccount('Kofi Annor', 'driver')
  await navigateTo(other, `/admin/users/${applicant.id}`)
  await expect(other.getByRole('button', { name: 'Add note' })).toBeVisible()
  for (const name of ['Suspend', 'Approve', 'Reject', 'View ID'])
    await expect(other.getByRole('button', { name, exact: true })).toHaveCount(0)
  await navigateTo(other, '/admin')
  const waiting = other.getByRole('region', { name: 'Driver applications' })
  await expect(waiting.getByRole('link', { name: 'All pending' })).toBeVisible()

  await expect(page.getByText('Yaa Boateng', { exact: true })).toBeVisible()
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.getByRole('button', { name: 'Remove Yaa Boateng' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('Yaa Boateng', { exact: true })).toBeHidden()
  await context.close()
  await page.context().close()
})
