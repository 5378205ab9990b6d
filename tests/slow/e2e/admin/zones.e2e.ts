import { expect } from '@playwright/test'
import { axeViolations } from '../../../e2e/helpers/page/axe.ts'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { admin } from '../../../helpers/server/app-server.ts'

const fixture = serverFixture()
const api = serverApi(fixture)

test('R165, R206, R207, R208: a zone is placed, connected, renamed and moved without signal, and deleted at a second word while deliveries use it', async ({
  browser,
}) => {
  const token = (await api.ask('login', { body: admin })).token
  const { zone } = await api.ask('addZone', { token, body: { name: 'Nungua' } })
  const stored = async () => (await api.ask('zones', {})).zones.find(({ ID }) => ID === zone.ID)
  const ama = await api.createAccount('Ama Waits', 'sender')
  await api.createDelivery(ama, { pickupZone: 'Madina', dropoffZone: 'Osu' })
  const esi = await api.createAccount('Esi Waits', 'sender')
  await api.createDelivery(esi, { pickupZone: 'Nungua', dropoffZone: 'Osu' })
  const page = await openPhone(
    browser,
    api,
    { token },
    {
      origin: fixture().origin,
      clock: true,
    },
  )
  await navigateTo(page, '/admin')
  await expect(page.getByRole('img', { name: 'Map. Jobs wait: Madina 1, Nungua 1.' })).toBeVisible()
  await expect(page.getByText('Not on the map: Nungua 1.')).toBeVisible()
  await navigateTo(page, '/admin/settings')
  const card = page.getByRole('region', { name: 'Control Zones' })
  await expect(card.getByRole('img', { name: /^Map/ })).toBeVisible()
  await page.route('**/api/**', (route) => route.abort())

  await card.getByLabel('Zone name').fill('Nungua')
  await card.getByRole('button', { name: 'Centre and roads of Nungua' }).click()
  const dialog = page.getByRole('dialog', { name: 'Nungua' })
  // A tap gives the position, which can be corrected.
  await dialog.getByRole('img', { name: /^Map/ }).click({ position: { x: 150, y: 80 } })
  await expect(dialog.getByLabel('Latitude')).not.toHaveValue('')
  await dialog.getByLabel('Latitude').fill('5.6')
  await dialog.getByLabel('Longitude').fill('-0.077')
  for (const [to, km] of [
    ['Tema', '40'],
    ['Spintex', '6,5'],
  ] as const) {
    await dialog.getByLabel('Add a road to').selectOption(to)
    await expect(dialog.getByLabel(`${to}, km`)).toBeFocused()
    await dialog.getByLabel(`${to}, km`).fill(km)
  }
  await expect(dialog.getByText('Nungua to Tema is 18 km shorter over Spintex')).toBeVisible()
  expect(await axeViolations(page, { colorScheme: 'light' })).toEqual([])
  await dialog.getByRole('button', { name: 'Remove the road to Tema' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(card.getByRole('listitem').filter({ hasText: 'Nungua' })).toContainText(
    'Not sent yet',
  )
  expect((await stored())?.lat).toBeUndefined()

  await page.unroute('**/api/**')
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await page.clock.runFor(1_000)
  await expect(page.getByText('Zone saved!')).toBeVisible()
  expect(await stored()).toMatchObject({
    lat: 5.6,
    lng: -0.077,
    roads: [{ to: 'Spintex', km: 6.5 }],
  })

  await api.ask('addZone', { token, body: { name: 'Teshie' } })
  const kofi = await api.createAccount('Kofi Moves', 'sender')
  await api.createDelivery(kofi, { pickupZone: 'Teshie', dropoffZone: 'Osu' })
  await page.reload()
  await expect(card.getByRole('button', { name: 'Rename or move Teshie' })).toBeVisible()
  await page.route('**/api/**', (route) => route.abort())
  await card.getByRole('button', { name: 'Rename or move Teshie' }).click()
  const renaming = page.getByRole('dialog', { name: 'Teshie' })
  await renaming.getByLabel('Name').fill('osu')
  await expect(renaming.getByText('Another one has this name.')).toBeVisible()
  await renaming.getByLabel('Name').fill('Teshie Camp')
  await renaming.getByLabel('Place in the list').selectOption('1')
  await renaming.getByRole('button', { name: 'Save' }).click()
  const first = card.getByRole('listitem').first()
  await expect(first).toContainText('Teshie Camp')
  await expect(first).toContainText('Not sent yet')
  await page.unroute('**/api/**')
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await page.clock.runFor(1_000)
  await expect(first).not.toContainText('Not sent yet')
  expect((await api.ask('zones', {})).zones[0]?.Name).toBe('Teshie Camp')

  await card.getByRole('button', { name: 'Delete Teshie Camp' }).click()
  await expect(first).toContainText('Deleting…')
  await page.clock.runFor(11_000)
  await expect(first).toContainText('1 delivery under way uses Teshie Camp.')
  await first.getByRole('button', { name: 'Delete anyway' }).click()
  await expect(first).toContainText('Deleting…')
  await page.clock.runFor(11_000)
  await expect(card.getByText('Teshie Camp')).toHaveCount(0)
  await page.context().close()
})
