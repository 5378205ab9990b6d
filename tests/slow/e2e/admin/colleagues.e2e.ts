import { expect } from '@playwright/test'
import { expectAccessible } from '../../../e2e/helpers/page/expect-accessible.ts'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { present } from '../../../helpers/present.ts'
import { admin } from '../../../helpers/server/app-server.ts'
import { appCode } from '../../../helpers/server/authenticator.ts'

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

test('R213, R214: a second step is set up, asked for at the login, and taken away by another admin', async ({
  browser,
}) => {
  const { token } = await api.ask('login', { body: admin })
  const invited = { email: 'efua@soma.test', role: 'support' as const }
  const { link } = await api.ask('inviteColleague', { token, body: invited })
  const accepted = { name: 'Efua Mensah', password: 'a long password' }
  const id = new URL(link).hash.slice(1)
  const efua = await api.ask('acceptInvitation', { id, body: accepted })
  const { origin } = fixture()
  const page = await openPhone(browser, api, { token: efua.token }, { origin })
  await navigateTo(page, '/profile')
  const card = page.getByRole('region', { name: 'Second step at login' })
  await card.getByRole('button', { name: 'Set up' }).click()
  await card.getByLabel('Current password').fill(accepted.password)
  await card.getByRole('button', { name: 'Continue' }).click()
  await expect(card.getByRole('img', { name: 'QR code for an authenticator app' })).toBeVisible()
  const secret = present(await card.getByText(/^[A-Z2-7]{32}$/).textContent())
  await expectAccessible(page, 'set up the second step')
  await card.getByLabel('Code that the app shows').fill(appCode(secret, Date.now()))
  const recovery = card.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(recovery).toHaveCount(10)
  const code = present(await recovery.first().textContent())
  await card.getByRole('button', { name: 'Done' }).click()
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await card.getByRole('button', { name: 'Turn off' }).click()
  await page.context().close()

  const context = await browser.newContext({ viewport: { width: 360, height: 740 } })
  const other = await context.newPage()
  await other.goto(`${origin}/auth`)
  await other.getByLabel('Email or phone number').fill(invited.email)
  await other.getByLabel('Password', { exact: true }).fill(accepted.password)
  const login = other.locator('form').getByRole('button', { name: 'Login' })
  await login.click()
  const field = other.getByLabel('Code from your authenticator app')
  await expect(field).toBeFocused()
  await field.fill('000000')
  await login.click()
  await expect(other.getByRole('tabpanel').getByText(/^Wrong code/)).toBeVisible()
  await field.fill(code)
  await login.click()
  await expect(other).toHaveURL(/\/admin$/)
  await context.close()

  const office = await openPhone(browser, api, { token }, { origin })
  await navigateTo(office, '/admin/colleagues')
  await expect(office.getByText('Second step on')).toBeVisible()
  await office.getByRole('button', { name: 'Take away the second step of Efua Mensah' }).click()
  await office.getByRole('dialog').getByRole('button', { name: 'Take away second step' }).click()
  await expect(office.getByText('Second step on')).toBeHidden()
  await office.context().close()
})
