import { expect } from '@playwright/test'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

/* One phone with several accounts, and sessions ended from another phone. */

const fixture = serverFixture()
const api = serverApi(fixture)
const at = () => ({ origin: fixture().origin })

test('R12: A session is ended from another phone; of many the newest five are shown', async ({
  browser,
}) => {
  const esi = await api.createAccount('Esi Two Phones', 'sender')
  const { email, password } = esi
  const login = () => api.ask('login', { body: { email, password } })
  const here = await openPhone(browser, api, await login(), at())
  await login()
  await navigateTo(here, '/profile')
  const section = here.getByRole('region', { name: 'Signed in on' })
  const devices = section.getByRole('listitem')
  await expect(devices.first()).toContainText('This device')
  const others = section.getByRole('button', { name: /^Sign out on .+, since \d+ \w+$/ })
  await expect(others).toHaveCount(2)
  for (const left of [1, 0]) {
    await others.first().click()
    await here.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
    await expect(others).toHaveCount(left)
  }
  await expect(devices).toHaveCount(1)
  await expect(api.ask('me', { token: esi.token })).rejects.toMatchObject({ status: 401 })

  for (let logins = 0; logins < 8; logins++) await login()
  await here.reload()
  await expect(devices).toHaveCount(5)
  await expect(devices.first()).toContainText('This device')
  await section.getByRole('button', { name: 'Show all 9' }).click()
  await expect(devices).toHaveCount(9)
  await here.context().close()
})
