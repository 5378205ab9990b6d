import { expect } from '@playwright/test'
import { expectAccessible } from '../../../e2e/helpers/page/expect-accessible.ts'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { card, offline, seesOffline } from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

/* A person finds their own deliveries again. */

const fixture = serverFixture()
const api = serverApi(fixture)

test('Own deliveries stand by month with what was paid, and are found by several words and by status, also offline', async ({
  browser,
}) => {
  const ama = await api.createAccount('Ama Sender', 'sender')
  const kofi = await api.createDriver('Kofi Driver')
  const approved = async (over: Parameters<typeof api.createDelivery>[1]) => {
    const made = await api.createDelivery(ama, over)
    await api.completeDelivery(kofi, made)
    const body = { status: 'Approved' as const }
    await api.ask('changeStatus', { token: ama.token, id: made.ID, body })
    return made
  }
  const drum = await approved({
    itemDescription: 'Drum',
    pickupZone: 'Madina',
    offer: 40.5,
    recipientName: 'Yaw Osei',
  })
  await api.inDatabase((client) =>
    client.query('update deliveries set created_at = $2 where id = $1', [
      drum.ID,
      '2026-10-05T12:00:00Z',
    ]),
  )
  await approved({ itemDescription: 'Laptop' })
  const cloth = await api.createDelivery(ama, {
    itemDescription: 'Cloth',
    dropoffZone: 'Circle',
    recipientName: 'Esi Boateng',
  })
  const cancelled = { status: 'Cancelled' as const }
  await api.ask('changeStatus', { token: ama.token, id: cloth.ID, body: cancelled })
  await api.createDelivery(ama, { itemDescription: 'Keys', recipientName: 'Kojo Mensah' })

  const page = await openPhone(browser, api, ama, {
    origin: fixture().origin,
    serviceWorkers: 'allow',
  })
  await navigateTo(page, '/deliveries')
  const group = (name: string) => page.getByRole('region', { name, exact: true })
  await expect(group('Active').getByRole('article')).toHaveCount(1)
  const month = (at: Date) =>
    new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric' }).format(at)
  await expect(group(month(new Date())).getByText('₵60 paid')).toBeVisible()
  await expect(group('October 2026').getByText('₵40.50 paid')).toBeVisible()
  await expect(card(page, 'Drum')).toContainText('For Yaw')
  await screenshot(page, 'own-1-months')

  const found = async (...items: string[]) => {
    await expect(page.locator('#main').getByRole('article')).toHaveCount(items.length)
    for (const item of items) await expect(card(page, item)).toBeVisible()
  }
  const search = page.getByLabel('Search your deliveries')
  const status = page.getByLabel('Status')
  await offline(page)
  await seesOffline(page)
  await search.fill('esi')
  await found('Laptop', 'Cloth')
  await search.fill(' Temá  ESI ')
  await found('Laptop')
  await search.fill('yaw osei')
  await found('Drum')
  await search.fill('esi kofi boateng')
  await found()
  await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible()
  await search.fill('')
  await status.selectOption('Approved')
  await found('Laptop', 'Drum')
  await expect(group('October 2026').getByText('₵40.50 paid')).toBeVisible()
  await search.fill('osu')
  await found('Laptop')
  await screenshot(page, 'own-2-found')
  await expectAccessible(page, 'own deliveries')
  await search.fill('')
  await status.selectOption('Cancelled')
  await found('Cloth')
  await status.selectOption('All')
  await found('Keys', 'Laptop', 'Cloth', 'Drum')
  await page.context().close()
})
