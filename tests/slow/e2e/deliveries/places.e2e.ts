import { expect, type Page } from '@playwright/test'
import { maxPlaceText } from '#domain/deliveries/places/place.ts'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { describeItem, draftKept, goOn, openStep } from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { photo } from '../../../e2e/helpers/photo.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

/* Find the door: places and pins, from the form to the driver (R112). */

const fixture = serverFixture()
const api = serverApi(fixture)
const at = () => ({ origin: fixture().origin })

const osu = { latitude: 5.5561, longitude: -0.1801, accuracy: 12 }
const kumasi = { latitude: 6.69, longitude: -1.62, accuracy: 12 }

const door = (page: Page, name: 'pickup' | 'drop-off') =>
  page.getByRole('region', { name: `The ${name} door` })
const unfold = (page: Page, name: 'pickup' | 'drop-off') =>
  page.getByRole('button', { name: `Find the ${name} door` }).click()

test('R112: a position that is denied or coarse is explained and adds no pin; one far from its zone warns, does not block, and can be removed; a text that is too long says so', async ({
  browser,
}) => {
  const page = await openPhone(browser, api, undefined, at())
  await navigateTo(page, '/send?step=2')
  await page.getByLabel('Pickup zone').selectOption('Osu')
  await page.getByLabel('Drop-off zone').selectOption('Tema')
  const pickup = door(page, 'pickup')
  const locate = () => page.getByRole('button', { name: 'Use my position' }).click()
  await unfold(page, 'pickup')
  await locate()
  await expect(pickup.getByText('This app may not use your position.')).toBeVisible()
  await screenshot(page, 'places-8-denied')

  await page.context().grantPermissions(['geolocation'])
  await page.context().setGeolocation({ ...osu, accuracy: 1_200 })
  await locate()
  await expect(pickup.getByText('Your position is only known to about 1.2 km')).toBeVisible()
  expect(JSON.stringify(await draftKept(page))).not.toContain('"lat"')
  // Outdoors it is better.
  await page.context().setGeolocation(osu)
  await locate()
  await expect(page.getByText('accurate to about 12 m')).toBeVisible()

  await page.context().setGeolocation(kumasi)
  await page.getByRole('button', { name: 'Remove pin' }).click()
  await locate()
  const warning = pickup.getByText('This pin is far from Osu')
  await expect(warning).toBeVisible()
  await screenshot(page, 'places-7-far')
  await unfold(page, 'pickup')
  await expect(warning).toBeVisible()
  await unfold(page, 'pickup')
  await page.getByRole('button', { name: 'Remove pin' }).click()
  await expect(warning).toBeHidden()
  await locate()
  await expect(warning).toBeVisible()
  await page.reload()
  await expect(warning).toBeVisible()
  await openStep(page, 1)
  await describeItem(page, 'Harp')
  await page.getByLabel('Item photo: Choose photo').setInputFiles(photo())
  await expect(page.getByRole('img', { name: 'Your item' })).toBeVisible()
  await goOn(page)
  await expect(warning).toBeVisible()
  await goOn(page)
  await expect(page.getByLabel('Recipient name')).toBeVisible()

  // A text that is too long says so at its field, and the draft keeps it.
  await openStep(page, 2)
  const long = 'x'.repeat(maxPlaceText + 1)
  await unfold(page, 'drop-off')
  const note = door(page, 'drop-off').getByLabel('Note for the driver')
  await note.fill(long)
  await expect.poll(async () => JSON.stringify(await draftKept(page))).toContain(long)
  await page.reload()
  // Unfolded, so that the person sees what is wrong.
  await expect(note).toHaveValue(long)
  await goOn(page)
  await expect(note).toBeFocused()
  await expect(note).toHaveAccessibleDescription(/at most 200 characters/)
  await screenshot(page, 'places-9-too-long')
  await note.fill(long.slice(1))
  await goOn(page)
  await expect(page.getByLabel('Recipient name')).toBeVisible()
  await page.context().close()
})
