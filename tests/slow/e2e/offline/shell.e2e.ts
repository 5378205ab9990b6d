import { expect } from '@playwright/test'
import {
  codeShown,
  fillRequest,
  kofi,
  submitRequest,
  waitingHere,
} from '../../../e2e/helpers/page/page-actions.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

const fixture = serverFixture()

test('When a first visit loses the network before the worker is installed, a request is stored, shown and later sent', async ({
  browser,
}) => {
  const context = await browser.newContext({ serviceWorkers: 'block' })
  const page = await context.newPage()
  // The screen of a request is loaded ahead, once the form is there.
  const room = page.waitForResponse(/\/assets\/room-/)
  await page.goto(`${fixture().origin}/send?as=guest`)
  await expect(page.getByRole('radio', { name: 'Other' })).toBeAttached()
  await (await room).finished()
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await fillRequest(page, { item: 'Fan belt' }, kofi)
  await submitRequest(page)
  await expect(waitingHere(page)).toBeVisible()
  await context.setOffline(false)
  await codeShown(page)
  await context.close()
})
