import { expect } from '@playwright/test'
import { appOpened } from '../helpers/page/app-opened.ts'
import { navigateTo, openPhone } from '../helpers/page/open-phone.ts'
import { codeShown, fillRequest, kofi, submitRequest } from '../helpers/page/page-actions.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'

/* Deliveries a person may not see, and rows a phone cannot read. */

const fixture = serverFixture()
const api = serverApi(fixture)

test('R53, R58: A guest cannot open another person’s delivery, with and without one of their own, and theirs for 24 hours', async ({
  browser,
}) => {
  const { origin } = fixture()
  const owner = await api.createAccount('Afua Kyei', 'sender')
  const { ID: others } = await api.createDelivery(owner, { itemDescription: 'Love letters' })
  const page = await openPhone(browser, api, undefined, { origin, clock: true })
  await navigateTo(page, `/delivery/${others}`)
  const expired = page.getByRole('heading', { name: 'Session Expired' })
  await expect(expired).toBeVisible()
  await screenshot(page, 'doors-1-session-expired')

  await navigateTo(page, '/send')
  await fillRequest(page, { item: 'Toolbox', seed: 31 }, kofi)
  const id = await submitRequest(page)
  await codeShown(page)
  await navigateTo(page, `/delivery/${others}`)
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
  await expect(
    page.getByText("This delivery doesn't belong to your guest session.").first(),
  ).toBeVisible()
  await expect(page.getByText('Love letters')).toBeHidden()
  await screenshot(page, 'doors-2-access-denied')

  const track = page.getByRole('link', { name: /Track My Delivery/ })
  await page.clock.fastForward('23:50:00')
  await page.goto(origin)
  await expect(track).toBeVisible()
  await page.clock.fastForward('00:20:00')
  await page.reload()
  await appOpened(page)
  await expect(page.getByRole('link', { name: 'Send a Package' })).toBeVisible()
  await expect(track).toBeHidden()
  await navigateTo(page, `/delivery/${id}`)
  await expect(expired).toBeVisible()
  await page.context().close()
})
