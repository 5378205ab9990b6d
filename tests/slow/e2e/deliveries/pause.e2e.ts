import { expect } from '@playwright/test'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { fillRequest, submitRequest } from '../../../e2e/helpers/page/page-actions.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { admin } from '../../../helpers/server/app-server.ts'

const fixture = serverFixture()
const api = serverApi(fixture)

test('R204, R205: Home shows what the office announces, Send and Drive until when it pauses, and a request waits until then', async ({
  browser,
}) => {
  const { origin } = fixture()
  const announcement = 'No trips to Tema on Friday.'
  const token = (await api.ask('login', { body: admin })).token
  const office = await openPhone(browser, api, { token }, { origin: `${origin}/admin/settings` })
  const form = office.getByRole('region', { name: 'Office' })
  const inTwoHours = new Date(Date.now() + 2 * 60 * 60_000).toISOString().slice(0, 16)
  await form.getByLabel('Announcement on Home').fill(announcement)
  await form.getByLabel('No new requests until').fill(inTwoHours)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(office.getByText('Settings saved!')).toBeVisible()
  const yaw = await api.createDriver('Yaw Mensah')
  const until = /^No new requests until /
  const page = await openPhone(browser, api, yaw, { origin })
  await expect(page.getByRole('note').getByText(announcement)).toBeVisible()
  for (const path of ['/drive', '/send']) {
    await navigateTo(page, path)
    await expect(page.getByText(until)).toBeVisible()
  }
  await fillRequest(page, { item: 'Laptop', from: 'Osu', to: 'Tema' })
  await submitRequest(page)
  await expect(
    page.getByText(/^No new requests until .+ Yours goes by itself then\.$/),
  ).toBeVisible()
  await expect(form.getByLabel('Announcement on Home')).toHaveValue(announcement)
  await form.getByLabel('Announcement on Home').fill('')
  await form.getByLabel('No new requests until').fill('')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(until)).toHaveCount(0)
  await expect(page.getByText('Pending', { exact: true }).first()).toBeVisible()
  await page.context().close()
  await office.context().close()
})
