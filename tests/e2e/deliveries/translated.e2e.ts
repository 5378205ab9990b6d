import { expect } from '@playwright/test'
import { openPhone } from '../helpers/page/open-phone.ts'
import { codeShown, fillRequest, kofi, submitRequest } from '../helpers/page/page-actions.ts'
import { translate } from '../helpers/page/translate.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'

/* The same for everybody who takes part in a delivery: tests/slow/e2e/deliveries/translated.e2e.ts. */

const fixture = serverFixture()
const api = serverApi(fixture)

test('R156: In a page that the browser translates, a guest requests a delivery, and its code and zones stay as they are', async ({
  browser,
}) => {
  const page = await openPhone(browser, api, undefined, {
    origin: `${fixture().origin}/send`,
    prepare: translate,
  })
  await fillRequest(page, { item: 'Sack of rice' }, kofi)
  await submitRequest(page)
  const code = await codeShown(page)
  const made = await api.deliveryNamed('Sack of rice')
  expect(made).toMatchObject({ pickupZone: 'Osu', dropoffZone: 'Tema', deliveryCode: code })
  for (const text of [code, 'Osu']) {
    const shown = page.getByText(text, { exact: true }).first()
    expect(await shown.evaluate((element) => element.localName)).not.toBe('font')
  }
  await page.context().close()
})
