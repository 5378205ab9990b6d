import { type Browser, expect, type Page, test } from '@playwright/test'
import { maxPlaceText } from '#domain/deliveries/place.ts'
import { admin } from '../../helpers/server/app-server.ts'
import { axeViolations } from '../helpers/page/axe.ts'
import { cutOff, largeText, smallTargets, usualText } from '../helpers/page/layout-checks.ts'
import { navigateTo, openPhone } from '../helpers/page/open-phone.ts'
import {
  codeShown,
  draftKept,
  fillRequest,
  goOn,
  kofi,
  logIn,
  openJob,
  openStep,
  storedRows,
  submitRequest,
  toast,
} from '../helpers/page/page-actions.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { inTheme } from '../helpers/page/theme.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture } from '../helpers/server/server-fixture.ts'

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

/** The send form's second step with both zones chosen. */
async function whereStep(browser: Browser, options: object = {}) {
  const page = await openPhone(browser, api, undefined, { ...at(), ...options })
  await navigateTo(page, '/send?step=2')
  await page.getByLabel('Pickup zone').selectOption('Osu')
  await page.getByLabel('Drop-off zone').selectOption('Tema')
  return page
}

const granted = (position: typeof osu) => ({ permissions: ['geolocation'], geolocation: position })

async function locate(page: Page) {
  await unfold(page, 'pickup')
  await door(page, 'pickup').getByRole('button', { name: 'Use my position' }).click()
}

test('R112: a door is described, kept in the draft, and shown to the driver from Accept on and to admins', async ({
  browser,
}) => {
  const page = await openPhone(browser, api, undefined, { ...at(), ...granted(osu) })
  await navigateTo(page, '/send')
  await fillRequest(page, { item: 'Cello' }, kofi)
  await openStep(page, 2)
  await screenshot(page, 'places-1-folded')
  await locate(page)
  const pickup = door(page, 'pickup')
  await expect(pickup.getByText('accurate to about 12 m')).toBeVisible()
  await pickup.getByLabel('Landmark or GhanaPostGPS').fill('Blue gate opposite Shell')
  await pickup.getByLabel('Note for the driver').fill('Second floor')
  await unfold(page, 'drop-off')
  await door(page, 'drop-off').getByLabel('Landmark or GhanaPostGPS').fill('GA-183-8164')
  await screenshot(page, 'places-2-filled')
  await expect.poll(async () => JSON.stringify(await draftKept(page))).toContain('GA-183-8164')
  await page.reload()
  await expect(pickup).toContainText('Blue gate opposite Shell · Second floor · Pin added')
  await expect(door(page, 'drop-off')).toContainText('GA-183-8164')
  const id = await submitRequest(page)
  await codeShown(page)
  const own = page.getByRole('region', { name: 'Find the door' })
  await expect(own).toContainText('Second floor')
  await screenshot(page, 'places-3-sender')

  const ama = await api.createDriver('Ama Owusu')
  const phone = await openPhone(browser, api, ama, {
    ...at(),
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await navigateTo(phone, '/drive')
  await openJob(phone, 'Cello')
  // Whoever looks for a job has no place on the phone, let alone on the screen.
  const before = JSON.stringify(await storedRows(phone, 'deliveries'))
  expect(before).toContain('Cello')
  for (const secret of ['Blue gate', 'GA-183-8164', 'Second floor', '5.5561'])
    expect(before).not.toContain(secret)
  await api.acceptDelivery(ama, id)
  await navigateTo(phone, `/delivery/${id}`)
  const doors = phone.getByRole('region', { name: 'Find the door' })
  const headings = doors.getByRole('heading')
  await expect(headings).toHaveText(['Pickup · Osu', 'Drop-off · Tema'])
  await expect(doors.getByRole('link', { name: 'Open map: pickup' })).toHaveAttribute(
    'href',
    'geo:5.5561,-0.1801?q=5.5561,-0.1801',
  )
  await doors.getByRole('button', { name: 'Copy pickup coordinates' }).click()
  expect(await phone.evaluate(() => navigator.clipboard.readText())).toBe('5.5561, -0.1801')
  await expect(toast(phone, 'Copied')).toBeVisible()
  await screenshot(phone, 'places-4-driver')
  expect(await axeViolations(phone)).toEqual([])
  await api.ask('changeStatus', { token: ama.token, id, body: { status: 'Picked Up' } })
  await expect(headings).toHaveText(['Drop-off · Tema', 'Pickup · Osu'], { timeout: 20_000 })
  await phone.context().close()

  const desktop = { width: 1280, height: 800 }
  const office = await openPhone(browser, api, undefined, { ...at(), viewport: desktop })
  await logIn(office, admin)
  await navigateTo(office, '/admin/deliveries')
  await office.getByRole('button', { name: 'Cello' }).click()
  await expect(office.getByRole('region', { name: 'Find the door' })).toContainText('GA-183-8164')
  await screenshot(office, 'places-5-admin')
  await office.context().close()
  await page.context().close()
})

test('R112: a known place takes two taps without network, and can be removed', async ({
  browser,
}) => {
  const page = await openPhone(browser, api, undefined, { ...at(), serviceWorkers: 'allow' })
  await page.evaluate(() => navigator.serviceWorker.ready)
  await navigateTo(page, '/send')
  await fillRequest(page, { item: 'Violin' }, kofi)
  await openStep(page, 2)
  await unfold(page, 'drop-off')
  await door(page, 'drop-off')
    .getByLabel('Landmark or GhanaPostGPS')
    .fill('Kiosk by the roundabout')
  await submitRequest(page)
  await codeShown(page)

  await page.context().setOffline(true)
  await navigateTo(page, '/send?step=2')
  await page.getByLabel('Pickup zone').selectOption('Tema')
  await page.getByLabel('Drop-off zone').selectOption('Osu')
  await unfold(page, 'drop-off')
  await expect(page.getByText('Recent places')).toBeHidden()
  await unfold(page, 'drop-off')
  const toggle = page.getByRole('button', { name: 'Find the pickup door' })
  await toggle.click()
  await screenshot(page, 'places-6-recent')
  await door(page, 'pickup')
    .getByRole('button', { name: 'Kiosk by the roundabout', exact: true })
    .click()
  await expect(toggle).toHaveAttribute('aria-expanded', 'false')
  await expect(toggle).toContainText('Kiosk by the roundabout')
  await expect
    .poll(() => draftKept(page))
    .toMatchObject({ pickupPlace: { text: 'Kiosk by the roundabout' } })

  // The zones and their doors change places together.
  await page.getByRole('button', { name: 'Swap the zones' }).click()
  await expect(door(page, 'drop-off')).toContainText('Kiosk by the roundabout')
  await expect(toggle).toContainText('Optional')

  await unfold(page, 'drop-off')
  await page.getByRole('button', { name: 'Remove Kiosk by the roundabout' }).click()
  await expect(page.getByText('Recent places')).toBeHidden()
  expect(await storedRows(page, 'places')).toEqual([])
  await page.context().close()
})

test('R112: a pin far from its zone warns, does not block, and can be removed', async ({
  browser,
}) => {
  const page = await whereStep(browser, granted(kumasi))
  await locate(page)
  const warning = door(page, 'pickup').getByText('This pin is far from Osu')
  await expect(warning).toBeVisible()
  await screenshot(page, 'places-7-far')
  await unfold(page, 'pickup')
  await expect(warning).toBeVisible()
  // Swapped with a zone of no pin, it is far from that one too.
  await unfold(page, 'pickup')
  await door(page, 'pickup').getByRole('button', { name: 'Remove pin' }).click()
  await expect(warning).toBeHidden()
  await expect(page.getByRole('button', { name: 'Use my position' })).toBeVisible()
  await page.getByRole('button', { name: 'Use my position' }).click()
  await expect(warning).toBeVisible()
  await page.goto(`${fixture().origin}/send?step=2`)
  await expect(warning).toBeVisible()
  await navigateTo(page, '/send')
  await fillRequest(page, { item: 'Harp' }, kofi)
  await openStep(page, 2)
  await expect(warning).toBeVisible()
  await goOn(page)
  await expect(page.getByLabel('Recipient name')).toBeVisible()
  await page.context().close()
})

test('R112: a position that is denied or coarse is explained, and adds no pin', async ({
  browser,
}) => {
  const denied = await whereStep(browser)
  await locate(denied)
  await expect(
    door(denied, 'pickup').getByText('This app may not use your position.'),
  ).toBeVisible()
  await screenshot(denied, 'places-8-denied')
  await denied.context().close()

  const coarse = await whereStep(browser, granted({ ...osu, accuracy: 1_200 }))
  await locate(coarse)
  await expect(
    door(coarse, 'pickup').getByText('Your position is only known to about 1.2 km'),
  ).toBeVisible()
  expect(JSON.stringify(await draftKept(coarse))).not.toContain('"lat"')
  // Outdoors it is better.
  await coarse.context().setGeolocation(osu)
  await coarse.getByRole('button', { name: 'Use my position' }).click()
  await expect(coarse.getByText('accurate to about 12 m')).toBeVisible()
  await coarse.context().close()
})

test('R112: a text that is too long says so at its field, and the draft keeps it', async ({
  browser,
}) => {
  const page = await whereStep(browser)
  const long = 'x'.repeat(maxPlaceText + 1)
  await navigateTo(page, '/send')
  await fillRequest(page, { item: 'Lyre' }, kofi)
  await openStep(page, 2)
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

test('R112: the open parts fit a small phone with large text, in both themes', async ({
  browser,
}) => {
  const page = await whereStep(browser, {
    ...granted(kumasi),
    viewport: { width: 320, height: 640 },
    screen: { width: 320, height: 640 },
  })
  await locate(page)
  await expect(page.getByText('This pin is far from Osu')).toBeVisible()
  await unfold(page, 'drop-off')
  expect(await smallTargets(page)).toEqual([])
  for (const colorScheme of ['light', 'dark'] as const) {
    await inTheme(page, colorScheme)
    await screenshot(page, `places-10-${colorScheme}`)
    expect(await axeViolations(page, { colorScheme })).toEqual([])
  }
  await inTheme(page, 'light')
  await largeText(page)
  await screenshot(page, 'places-11-large')
  expect(await cutOff(page)).toEqual([])
  await usualText(page)
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
  const small = { width: 320, height: 640 }
  const page = await openPhone(browser, api, abena, { ...at(), viewport: small, screen: small })
  await navigateTo(page, `/delivery/${made.ID}`)
  await expect(page.getByRole('region', { name: 'Find the door' })).toContainText('GA-183-8164')
  expect(await smallTargets(page)).toEqual([])
  for (const colorScheme of ['light', 'dark'] as const) {
    await inTheme(page, colorScheme)
    await screenshot(page, `places-12-room-${colorScheme}`)
    expect(await axeViolations(page, { colorScheme })).toEqual([])
  }
  await largeText(page)
  await screenshot(page, 'places-13-room-large')
  expect(await cutOff(page)).toEqual([])
  await usualText(page)
  await page.setViewportSize({ width: 1280, height: 800 })
  await screenshot(page, 'places-14-room-desktop')
  await page.context().close()

  const desk = await whereStep(browser, {
    ...granted(osu),
    viewport: { width: 1280, height: 800 },
    isMobile: false,
  })
  await locate(desk)
  await expect(desk.getByText('Pin added')).toBeVisible()
  await screenshot(desk, 'places-15-desktop')
  await desk.context().close()
})
