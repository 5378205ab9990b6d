import { expect, type Page } from '@playwright/test'
import { axeViolations } from '../../../e2e/helpers/page/axe.ts'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import {
  fillRequest,
  offline,
  online,
  submitRequest,
} from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { inTheme } from '../../../e2e/helpers/page/theme.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { admin } from '../../../helpers/server/app-server.ts'

const fixture = serverFixture()
const api = serverApi(fixture)

/** The support code that a person reads out. */
async function codeOn(page: Page): Promise<string> {
  await navigateTo(page, '/outbox')
  await page.getByText('Details for support').click()
  const code = page.getByText(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/)
  await expect(code).toBeVisible()
  return (await code.textContent()) ?? ''
}

const lookUp = async (page: Page, code: string) => {
  await page.getByLabel('Support code').fill(code)
  await page.getByRole('button', { name: 'Look up' }).click()
}

test('R92: An admin finds a phone by the code its owner reads out', async ({ browser }) => {
  const efua = await api.createAccount('Efua Mensah', 'sender')
  const { origin } = fixture()
  const phone = await openPhone(browser, api, efua, { origin })
  const code = await codeOn(phone)
  await navigateTo(phone, '/send')
  await fillRequest(phone, { item: 'Drum', seed: 91 })
  await submitRequest(phone)
  await expect.poll(() => api.deliveriesNamed('Drum')).toHaveLength(1)

  const person = await api.ask('login', { body: admin })
  const office = await openPhone(browser, api, person, { origin, serviceWorkers: 'allow' })
  await navigateTo(office, '/admin')
  await office
    .getByRole('navigation', { name: 'Admin' })
    .getByRole('link', { name: 'Support' })
    .click()
  await lookUp(office, 'no code')
  await expect(office.getByText('A support code is 8 letters and digits')).toBeVisible()
  await lookUp(office, '0000-0000')
  await expect(office.getByText('No phone with this code')).toBeVisible()
  await lookUp(office, code.toLowerCase())
  const report = office.getByRole('region', { name: `Phone ${code}` })
  await expect(report).toContainText(`${efua.name}, ${efua.email}`)
  await expect(report).toContainText(/Last contact(just now|\d+ minutes? ago)/)
  await expect(report).toContainText(/Waiting on the phone\d items?/)
  for (const theme of ['light', 'dark'] as const) {
    await inTheme(office, theme)
    await screenshot(office, `support-${theme}`)
    expect(await axeViolations(office, { colorScheme: theme })).toEqual([])
  }
  await office.setViewportSize({ width: 1280, height: 800 })
  await screenshot(office, 'support-desktop')

  await offline(office)
  await office.reload()
  await expect(report).toContainText(efua.name)
  await lookUp(office, '1111-1111')
  await expect(office.getByText('Not available offline')).toBeVisible()
  await online(office)
  await expect(office.getByText('No phone with this code')).toBeVisible()
  for (const page of [phone, office]) await page.context().close()
})
