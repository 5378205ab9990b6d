import { expect, type Page } from '@playwright/test'
import { axeViolations } from '../../../e2e/helpers/page/axe.ts'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { offline, online } from '../../../e2e/helpers/page/page-actions.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

const fixture = serverFixture()
const api = serverApi(fixture)

const section = (page: Page) => page.getByRole('region', { name: 'Your commutes' })

test('R166: A driver’s commute is added offline, sent, changed, and a deletion is undone; another phone’s change is shown', async ({
  browser,
}) => {
  const yaw = await api.createDriver('Yaw Commuter')
  const { origin } = fixture()
  const page = await openPhone(browser, api, yaw, { origin, serviceWorkers: 'allow' })
  await navigateTo(page, '/profile')
  const here = section(page)
  await offline(page)
  await here.getByRole('button', { name: 'Add a commute' }).click()
  const form = here.getByRole('form', { name: 'Commute' })
  await expect(form.getByLabel('From')).toBeFocused()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toContainText('Choose where you start.')
  await form.getByLabel('From').selectOption('Adenta')
  await form.getByLabel('To').selectOption('Accra Central')
  await form.getByRole('button', { name: 'Fri' }).click()
  await form.getByLabel('Leave at').fill('07:00')
  await form.getByLabel('Back at').fill('17:30')
  expect(await axeViolations(page)).toEqual([])
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(here).toContainText('Mon to Thu, 07:00, back 17:30')
  const heading = here.getByRole('heading', { name: 'Your commutes' })
  await expect(heading).toBeFocused()
  await expect(here.getByRole('status')).toHaveText(/Not sent yet/)
  await page.reload()
  await expect(here).toContainText('Adenta to Accra Central')
  await online(page)
  await expect(here.getByRole('status')).toHaveCount(0)

  await navigateTo(page, '/')
  await navigateTo(page, '/profile#commutes')
  await expect(here).toBeInViewport()
  await here.getByRole('button', { name: 'Change Adenta to Accra Central' }).click()
  await here.getByLabel('Back at').fill('')
  await here.getByRole('switch').uncheck()
  await here.getByRole('button', { name: 'Save' }).click()
  await expect(here).toContainText('Mon to Thu, 07:00')
  await expect(here).not.toContainText('17:30')
  await expect(here).toContainText('No notifications')

  const remove = here.getByRole('button', { name: 'Delete Adenta to Accra Central' })
  await remove.click()
  await expect(remove).toHaveCount(0)
  await expect(heading).toBeFocused()
  await here.getByRole('button', { name: 'Undo deleting the commute' }).click()
  await expect(remove).toBeVisible()
  const kept = { from: 'Adenta', to: 'Accra Central', days: [1, 2, 3, 4], leaves: '07:00' }
  const commutes = async () => (await api.ask('me', { token: yaw.token })).user.commutes
  await expect.poll(commutes).toMatchObject([{ ...kept, notify: false }])
  const body = { commutes: [{ ...kept, leaves: '08:00', notify: false }] }
  await api.ask('changeCommutes', { token: yaw.token, body })
  await expect(here).toContainText('Mon to Thu, 08:00')
})
