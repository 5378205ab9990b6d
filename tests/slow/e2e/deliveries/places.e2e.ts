import { expect, type Page } from '@playwright/test'
import { maxPlaceText } from '#domain/deliveries/places/place.ts'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import {
  card,
  codeShown,
  copied,
  describeItem,
  draftKept,
  fillRequest,
  goOn,
  kofi,
  nextStep,
  openJob,
  openStep,
  storedRows,
  submitRequest,
} from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { photo } from '../../../e2e/helpers/photo.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

/* Find the door: places and pins, from the form to the driver (R112). */

const fixture = serverFixture()
const api = serverApi(fixture)
const at = () => ({ origin: fixture().origin })

const osu = { latitude: 5.5561, longitude: -0.1801, accuracy: 12 }
const door = (page: Page, name: 'pickup' | 'drop-off') =>
  page.getByRole('region', { name: `The ${name} door` })
const unfold = (page: Page, name: 'pickup' | 'drop-off') =>
  page.getByRole('button', { name: `Find the ${name} door` }).click()
const kumasi = { latitude: 6.69, longitude: -1.62, accuracy: 12 }

test('R112, R160: a door and the item are described, kept in the draft, and read by the driver, the places from Accept on; a known place takes two taps offline', async ({
  browser,
}) => {
  const page = await openPhone(browser, api, undefined, {
    ...at(),
    permissions: ['geolocation'],
    geolocation: osu,
  })
  await navigateTo(page, '/send')
  await fillRequest(page, { item: 'Cello' }, kofi)
  await openStep(page, 2)
  // How far it is, with both ends on a map (R163).
  await expect(page.getByText(/^Osu to Tema: about \d+ km by road$/)).toBeVisible()
  await expect(page.getByRole('img', { name: /^Map. Way from Osu to Tema/ })).toBeVisible()
  await screenshot(page, 'places-1-folded')
  await unfold(page, 'pickup')
  await door(page, 'pickup').getByRole('button', { name: 'Use my position' }).click()
  const pickup = door(page, 'pickup')
  await expect(pickup.getByText('accurate to about 12 m')).toBeVisible()
  await pickup.getByLabel('Landmark or GhanaPostGPS').fill('Blue gate opposite Shell')
  await pickup.getByLabel('Note for the driver').fill('Second floor')
  await unfold(page, 'drop-off')
  await door(page, 'drop-off').getByLabel('Landmark or GhanaPostGPS').fill('GA-183-8164')
  await screenshot(page, 'places-2-filled')
  await openStep(page, 1)
  const more = page.getByRole('button', { name: 'More about the item' })
  await more.click()
  await page.getByRole('group', { name: 'Size' }).getByText('Large').click()
  await page.getByRole('switch', { name: 'Fragile' }).check()
  const note = page.getByLabel('Note about the item')
  await note.fill('x'.repeat(201))
  await goOn(page)
  await expect(note).toBeFocused()
  await expect(note).toHaveAccessibleDescription(/at most 200 characters/)
  await note.fill('Keep it upright')
  await screenshot(page, 'item-1-details')
  await expect
    .poll(() => draftKept(page))
    .toMatchObject({ size: 'large', fragile: true, note: 'Keep it upright' })
  expect(JSON.stringify(await draftKept(page))).toContain('GA-183-8164')
  await more.click()
  await expect(more).toContainText('Large · Fragile · Keep it upright')
  await goOn(page)
  await expect(page).toHaveURL(/step=2/)
  await page.reload()
  await expect(pickup).toContainText('Blue gate opposite Shell · Second floor · Pin added')
  await expect(door(page, 'drop-off')).toContainText('GA-183-8164')
  const id = await submitRequest(page)
  await codeShown(page)
  const own = page.getByRole('region', { name: 'Find the door' })
  await expect(own).toContainText('Second floor')
  const details = page.getByRole('region', { name: 'Details' })
  await expect(details).toContainText('Large · Fragile')
  await expect(details).toContainText('Keep it upright')
  await screenshot(page, 'places-3-sender')

  const ama = await api.createDriver('Ama Owusu')
  const phone = await openPhone(browser, api, ama, {
    ...at(),
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await navigateTo(phone, '/drive')
  await expect(card(phone, 'Cello')).toContainText('Large · Fragile')
  await expect(await openJob(phone, 'Cello')).toContainText('Keep it upright')
  // Whoever looks for a job has no place on the phone, let alone on the screen.
  const before = JSON.stringify(await storedRows(phone, 'deliveries'))
  expect(before).toContain('Cello')
  for (const secret of ['Blue gate', 'GA-183-8164', 'Second floor', '5.5561'])
    expect(before).not.toContain(secret)
  await api.acceptDelivery(ama, id)
  await navigateTo(phone, '/')
  const ways = card(phone, 'Cello')
  await expect(ways.getByRole('link', { name: 'Call Kofi' })).toBeVisible()
  await expect(ways.getByRole('link', { name: 'Directions to Osu' })).toBeVisible()
  await screenshot(phone, 'places-4-home')
  await navigateTo(phone, `/delivery/${id}`)
  const doors = phone.getByRole('region', { name: 'Find the door' })
  const task = nextStep(phone)
  await expect(task).toContainText(/Pickup · Osu.*Blue gate opposite Shell.*Second floor/)
  await expect(doors.getByRole('heading')).toHaveText('Drop-off · Tema')
  await expect(task.getByRole('link', { name: 'Open map: pickup' })).toHaveAttribute(
    'href',
    'geo:5.5561,-0.1801?q=5.5561,-0.1801',
  )
  await task.getByRole('button', { name: 'Copy pickup coordinates' }).click()
  expect(await copied(phone)).toBe('5.5561, -0.1801')
  await expect(
    phone.getByRole('img', { name: /^Map. Way from Osu to Tema .*Pin: Pickup.$/ }),
  ).toBeVisible()
  await screenshot(phone, 'places-4-driver')
  await api.ask('changeStatus', { token: ama.token, id, body: { status: 'Picked Up' } })
  await expect(task).toContainText(/Drop-off · Tema.*GA-183-8164/)
  await expect(doors.getByRole('heading')).toHaveText('Pickup · Osu')
  await phone.context().close()

  await page.context().setOffline(true)
  await navigateTo(page, '/send?step=2')
  await page.getByLabel('Pickup zone').selectOption('Tema')
  await page.getByLabel('Drop-off zone').selectOption('Osu')
  const toggle = page.getByRole('button', { name: 'Find the pickup door' })
  await toggle.click()
  await screenshot(page, 'places-6-recent')
  await door(page, 'pickup').getByRole('button', { name: 'GA-183-8164', exact: true }).click()
  await expect(toggle).toHaveAttribute('aria-expanded', 'false')
  await expect(toggle).toContainText('GA-183-8164')
  await expect.poll(() => draftKept(page)).toMatchObject({ pickupPlace: { text: 'GA-183-8164' } })

  // The zones and their doors change places together.
  await page.getByRole('button', { name: 'Swap the zones' }).click()
  await expect(door(page, 'drop-off')).toContainText('GA-183-8164')
  await expect(toggle).toContainText('Optional')
  await unfold(page, 'drop-off')
  await page.getByRole('button', { name: 'Remove GA-183-8164' }).click()
  await expect(page.getByRole('button', { name: 'GA-183-8164', exact: true })).toBeHidden()
  expect(JSON.stringify(await storedRows(page, 'places'))).not.toContain('GA-183-8164')
  await page.context().close()
})

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
