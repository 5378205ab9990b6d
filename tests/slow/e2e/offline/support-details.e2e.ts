import { expect } from '@playwright/test'
import { axeViolations } from '../../../e2e/helpers/page/axe.ts'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import {
  entry,
  fillRequest,
  kofi,
  pill,
  storedRows,
  submitRequest,
} from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

const fixture = serverFixture()
const api = serverApi(fixture)
const at = () => ({ origin: `${fixture().origin}/outbox` })

test('S28: the outbox lists the latest events for support, and what the server deferred with its tries, its last answer, its next try and its request ID; it is sent at once when the person asks', async ({
  browser,
}) => {
  const page = await openPhone(browser, api, undefined, at())
  await expect(page.getByRole('table')).toHaveCount(0)
  await page.getByText('Details for support').click()
  const events = page.getByRole('table', { name: 'Events, newest first' }).getByRole('row')
  await expect.poll(() => events.count()).toBeGreaterThan(1)

  const toggle = page.getByRole('switch', { name: 'Also write to the console' })
  await toggle.click()
  await expect(toggle).toBeChecked()
  const logged = page.waitForEvent('console', (line) => line.text().startsWith('[soma]'))
  await page.reload()
  await logged
  await page.getByText('Details for support').click()
  await expect(toggle).toBeChecked()

  await navigateTo(page, '/send')
  await fillRequest(page, { item: 'Clay pot', seed: 71 }, kofi)
  const upload = '**/api/images/upload'
  const busy = { error: 'The service is busy.', reason: 'unavailable' }
  await page.route(upload, (route) =>
    route.fulfill({
      status: 503,
      headers: { 'retry-after': '600', 'x-server-version': '1' },
      json: busy,
    }),
  )
  await submitRequest(page)
  await expect(pill(page)).toHaveText('1 waiting')
  await navigateTo(page, '/outbox')
  const request = entry(page, 'Request: Clay pot')
  await expect(request).toContainText('No connection, trying again')
  await page.getByText('Details for support').click()
  const details = page.getByRole('region', { name: 'Not sent yet' }).getByRole('listitem')
  await expect(details).toHaveCount(2)
  const photo = details.filter({ hasText: 'Photo: Clay pot' })
  await expect(photo).toContainText('Tries1')
  await expect(photo).toContainText('set by our service')
  await expect(photo).toContainText('503, Image upload failed')
  const stored = (await storedRows(page, 'outbox')) as { id: string; op: string }[]
  const { id } = stored.find(({ op }) => op === 'uploadPhoto') ?? { id: 'none' }
  await expect(photo).toContainText(id)
  await expect(details.filter({ hasText: 'Request: Clay pot' })).toContainText('Not tried yet')
  await expect(photo.getByRole('button', { name: 'Copy request ID' })).toBeVisible()
  await screenshot(page, 'support-details-entries')
  expect(await axeViolations(page)).toEqual([])

  await page.unroute(upload)
  await request.getByRole('button', { name: 'Retry' }).click()
  await expect(entry(page, 'Requested: Clay pot')).toContainText('Sent')
  expect(await api.deliveriesNamed('Clay pot')).toHaveLength(1)
  await page.context().close()
})
