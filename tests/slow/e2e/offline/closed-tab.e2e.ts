import { expect } from '@playwright/test'
import { openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { acceptJob } from '../../../e2e/helpers/page/page-actions.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { undo } from '../../../e2e/returns/return-actions.ts'

const fixture = serverFixture()
const api = serverApi(fixture)

test('S76: Of a tab that is closed three seconds after an accept, the worker sends the accept once it cannot be undone any more', async ({
  browser,
}) => {
  const driver = await api.createDriver('Kofi Driver')
  await api.createDelivery(await api.createAccount('Ama Sender', 'sender'), {
    itemDescription: 'Guitar',
  })
  const page = await openPhone(browser, api, driver, {
    origin: `${fixture().origin}/drive`,
    serviceWorkers: 'allow',
  })
  const context = page.context()
  // Whatever is closed next, the browser goes on.
  await context.newPage()
  const acceptedFrom = Date.now()
  await acceptJob(page, 'Guitar')
  await expect(undo(page)).toContainText('(7)')
  await page.close()
  expect(await api.deliveryNamed('Guitar')).toMatchObject({ status: 'Pending' })
  // The browser alone would start the worker again after five minutes.
  await expect
    .poll(async () => (await api.deliveryNamed('Guitar')).status, { timeout: 30_000 })
    .toBe('Accepted')
  expect(Date.now() - acceptedFrom).toBeGreaterThanOrEqual(10_000)
  await context.close()
})
