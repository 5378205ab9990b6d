import { expect, test } from '@playwright/test'
import { axeViolations } from '../helpers/page/axe.ts'
import { navigateTo } from '../helpers/page/open-phone.ts'
import {
  entry,
  fillRequest,
  kofi,
  storedRows,
  submitRequest,
} from '../helpers/page/page-actions.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { inTheme } from '../helpers/page/theme.ts'
import { serverFixture } from '../helpers/server/server-fixture.ts'

const server = serverFixture()
const sizes = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } }

for (const [size, viewport] of Object.entries(sizes))
  for (const theme of ['light', 'dark'] as const)
    test(`the outbox lists the latest events for support: ${size}, ${theme}`, async ({
      browser,
    }) => {
      const context = await browser.newContext({ viewport, serviceWorkers: 'block' })
      const page = await context.newPage()
      await inTheme(page, theme)
      await page.goto(`${server().origin}/outbox`)
      await expect(page.getByRole('table')).toHaveCount(0)
      await page.getByText('Details for support').click()
      const events = page.getByRole('table', { name: 'Events, newest first' }).getByRole('row')
      await expect(async () => expect(await events.count()).toBeGreaterThan(1)).toPass()
      await screenshot(page, `support-details-${size}-${theme}`)
      expect(await axeViolations(page, { colorScheme: theme })).toEqual([])
      await context.close()
    })

test('the switch to write events to the console survives a reload', async ({ page }) => {
  await page.goto(`${server().origin}/outbox`)
  await page.getByText('Details for support').click()
  const toggle = page.getByRole('switch', { name: 'Also write to the console' })
  await toggle.click()
  await expect(toggle).toBeChecked()
  const logged = page.waitForEvent('console', {
    predicate: (message) => message.text().startsWith('[soma]'),
    timeout: 15_000,
  })
  await navigateTo(page, '/auth')
  await page.getByLabel('Email').fill('nobody@soma.test')
  await page.getByLabel('Password').fill('wrong password')
  await page.getByRole('tabpanel').getByRole('button', { name: 'Login' }).click()
  await logged
  await page.goto(`${server().origin}/outbox`)
  await page.getByText('Details for support').click()
  await expect(toggle).toBeChecked()
})

test('S28: an entry that was not sent shows its tries, its last answer, its next try and its request ID', async ({
  page,
}) => {
  await page.goto(`${server().origin}/send`)
  await fillRequest(page, { item: 'Clay pot', seed: 71 }, kofi)
  const busy = { error: 'The service is busy.', reason: 'unavailable' }
  await page.route('**/api/images/upload', (route) =>
    route.fulfill({ status: 503, headers: { 'retry-after': '600' }, json: busy }),
  )
  await submitRequest(page)
  await navigateTo(page, '/outbox')
  await expect(entry(page, 'Request: Clay pot')).toContainText('No connection')
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
})
