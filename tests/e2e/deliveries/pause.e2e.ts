import { expect } from '@playwright/test'
import { openPhone } from '../helpers/page/open-phone.ts'
import { fillRequest, submitRequest } from '../helpers/page/page-actions.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'

const fixture = serverFixture()
const api = serverApi(fixture)

test('R204, R205: Home shows what the office announces, Send and Drive until when it pauses, and a request waits until then', async ({
  browser,
}) => {
  const { origin } = fixture()
  const announcement = 'No trips to Tema on Friday.'
  const pausedUntil = new Date(Date.now() + 2 * 60 * 60_000).toISOString()
  await api.asAdmin('changeSettings', { body: { announcement, pausedUntil } })
  const yaw = await api.createDriver('Yaw Mensah')
  const drive = await openPhone(browser, api, yaw, { origin: `${origin}/drive` })
  const until = /^No new requests until /
  await expect(drive.getByText(until)).toBeVisible()
  await drive.context().close()

  const ama = await api.createAccount('Ama Owusu', 'sender')
  const page = await openPhone(browser, api, ama, { origin })
  await expect(page.getByRole('note').getByText(announcement)).toBeVisible()
  await page.goto(`${origin}/send`)
  await expect(page.getByText(until)).toBeVisible()
  await fillRequest(page, { item: 'Laptop', from: 'Osu', to: 'Tema' })
  await submitRequest(page)
  await expect(
    page.getByText(/^No new requests until .+ Yours goes by itself then\.$/),
  ).toBeVisible()
  await api.asAdmin('changeSettings', { body: { announcement: null, pausedUntil: null } })
  await expect(page.getByText(until)).toHaveCount(0)
  await expect(page.getByText('Pending', { exact: true }).first()).toBeVisible()
  await page.context().close()
})
