import { expect } from '@playwright/test'
import { maxPlaceText } from '#domain/deliveries/places/place.ts'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { looksRight } from '../looks-right.ts'

/* How the doors look (R112). */

const fixture = serverFixture()
const api = serverApi(fixture)
const small = { width: 320, height: 640 }

test('R112: the open parts fit a small phone with large text, in both themes', async ({
  browser,
}) => {
  const page = await openPhone(browser, api, undefined, {
    origin: fixture().origin,
    viewport: small,
    screen: small,
    permissions: ['geolocation'],
    geolocation: { latitude: 6.69, longitude: -1.62, accuracy: 12 },
  })
  await navigateTo(page, '/send?step=2')
  await page.getByLabel('Pickup zone').selectOption('Osu')
  await page.getByLabel('Drop-off zone').selectOption('Tema')
  await page.getByRole('button', { name: 'Find the pickup door' }).click()
  await page.getByRole('button', { name: 'Use my position' }).click()
  await expect(page.getByText('This pin is far from Osu')).toBeVisible()
  await page.getByRole('button', { name: 'Find the drop-off door' }).click()
  await looksRight(page, 'places-10-form')
  await page.context().close()
})

test('R112: the doors fit the room of a small phone with large text, in both themes', async ({
  browser,
}) => {
  const abena = await api.createAccount('Abena Asante', 'sender')
  const made = await api.createDelivery(abena, {
    itemDescription: 'Guitar',
    pickupPlace: { text: 'x'.repeat(maxPlaceText), lat: -89.123_45, lng: -179.123_45 },
    dropoffPlace: {
      text: 'GA-183-8164',
      note: 'Second floor, call at the gate',
      lat: 5.67,
      lng: 0,
    },
  })
  const { origin } = fixture()
  const page = await openPhone(browser, api, abena, { origin, viewport: small, screen: small })
  await navigateTo(page, `/delivery/${made.ID}`)
  await expect(page.getByRole('region', { name: 'Find the door' })).toContainText('GA-183-8164')
  await looksRight(page, 'places-12-room')
  await page.context().close()
})
