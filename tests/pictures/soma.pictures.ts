import { type Browser, expect } from '@playwright/test'
import { navigateTo, openPhone } from '../e2e/helpers/page/open-phone.ts'
import { chooseTile, codeShown, goOn, submitRequest } from '../e2e/helpers/page/page-actions.ts'
import { serverApi } from '../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../e2e/helpers/server/server-fixture.ts'
import { type Item, itemPhoto } from './items.ts'
import { take, takeForManifest } from './take.ts'

/* The README's screenshots of the app. The data are created through the API. */

const fixture = serverFixture()
const api = serverApi(fixture)

test('The main screens', async ({ browser }) => {
  const abena = await api.createAccount('Abena Asante', 'sender')
  const kwame = await api.createDriver('Kwame Tetteh')
  await createOpenRequests(browser)

  const sender = await openPhone(browser, api, abena, at())
  await navigateTo(sender, '/send')
  await chooseTile(sender, 'Medication')
  await sender
    .getByLabel('Item photo: Choose photo')
    .setInputFiles({ name: 'item.jpg', ...(await itemPhoto(browser, 'medicine')) })
  await expect(sender.getByRole('img', { name: 'Your item' })).toBeVisible()
  await goOn(sender)
  await sender.getByLabel('Pickup zone').selectOption('Cantonments')
  await sender.getByLabel('Drop-off zone').selectOption('Madina')
  await goOn(sender)
  await sender.getByLabel('Recipient name').fill('Esi Mensah')
  await sender.getByLabel('Recipient phone').fill('0244000111')
  await sender.getByLabel('Offer').fill('45')
  const id = await submitRequest(sender)
  await codeShown(sender)

  const driver = await openPhone(browser, api, kwame, at())
  await navigateTo(driver, '/drive')
  await expect(driver.getByRole('article')).toHaveCount(5)
  await take(driver, 'drive')

  await api.acceptDelivery(kwame, id)
  await expect(sender.getByRole('region', { name: 'Driver' })).toBeVisible({ timeout: 30_000 })
  await take(sender, 'room')

  const sharpPhone = { ...at(), deviceScaleFactor: 2 }
  const abenas = await openPhone(browser, api, abena, sharpPhone)
  await navigateTo(abenas, `/delivery/${id}`)
  await expect(abenas.getByRole('region', { name: 'Driver' })).toBeVisible()
  await takeForManifest(abenas, 'room-narrow')
  const kwames = await openPhone(browser, api, kwame, sharpPhone)
  await takeForManifest(kwames, 'home-narrow')
  const wide = await openPhone(browser, api, abena, { ...at(), ...desktop })
  await expect(wide.getByRole('link', { name: /Medication/ }).first()).toBeVisible()
  await takeForManifest(wide, 'home-wide')
})

const at = () => ({ origin: fixture().origin })
const desktop = { viewport: { width: 1280, height: 800 }, isMobile: false, hasTouch: false }

/** Five open requests by five people. */
async function createOpenRequests(browser: Browser) {
  const requests: [string, string, string, string, number, Item][] = [
    ['Efua Ofori', 'Laptop', 'East Legon', 'Airport Residential Area', 120, 'laptop'],
    ['Yaw Mensah', 'Documents', 'Osu', 'Accra Central', 35, 'papers'],
    ['Akosua Boateng', 'Kente cloth for a wedding', 'Kaneshie', 'Spintex', 80.5, 'cloth'],
    ['Kojo Appiah', 'Groceries', 'Madina', 'Adenta', 60, 'groceries'],
  ]
  for (const [name, itemDescription, pickupZone, dropoffZone, offer, item] of requests) {
    const person = await api.createAccount(name, 'sender')
    const itemUrl = await uploadPhoto(await itemPhoto(browser, item))
    await api.createDelivery(person, {
      itemDescription,
      pickupZone,
      dropoffZone,
      offer,
      itemPhoto: itemUrl,
    })
  }
}

async function uploadPhoto({ buffer, mimeType }: { buffer: Buffer; mimeType: string }) {
  const { imageUploadUrl, imageUploadPreset } = await api.ask('config')
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(buffer)], { type: mimeType }), 'item.jpg')
  form.set('upload_preset', imageUploadPreset)
  const response = await fetch(imageUploadUrl, { method: 'POST', body: form })
  return String((await response.json()).secure_url)
}
