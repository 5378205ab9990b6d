import { expect, type Locator, type Page } from '@playwright/test'
import { navigateTo, openPhone } from '../helpers/page/open-phone.ts'
import { describeItem, draftKept, fillRequest, goOn, kofi } from '../helpers/page/page-actions.ts'
import { photo } from '../helpers/photo.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'

/* Forms: errors are beside their fields, input is kept, pasted values are converted. */

const fixture = serverFixture()
const api = serverApi(fixture)
const at = () => ({ origin: fixture().origin })

/** A guest's phone. */
let visitor: Page
test.beforeAll(async ({ browser }) => {
  visitor = await openPhone(browser, api, undefined, at())
})
test.afterAll(() => visitor.context().close())

test('A field left invalid shows its error, and submitting focuses the first invalid field', async () => {
  const page = visitor
  await navigateTo(page, '/send?step=3')
  const lead = page.getByText('Works without signal.')
  const phone = page.getByLabel('Your phone')
  await phone.fill('02441')
  await saysWrong(phone, undefined)
  await phone.blur()
  await saysWrong(phone, 'Phone number must be exactly 10 digits.')
  await phone.fill('0244111222')
  await saysWrong(phone, undefined)
  // The header is small after the first step.
  await expect(lead).toBeHidden()

  // Sent from its last step, the form opens the first one in which something is wrong.
  await page.getByRole('button', { name: 'Request Delivery' }).click()
  await expect(page).toHaveURL(/step=1/)
  await expect(lead).toBeVisible()
  await expect(page.getByRole('group', { name: 'Item description' })).toContainText(
    'Item description is required.',
  )
  await isInView(page.getByText('Item description is required.'))
  await expect(page.getByRole('group', { name: 'Item photo' })).toContainText(
    'Photo Required: Please upload a photo of your item.',
  )
  await describeItem(page, 'A drum')
  await page.getByLabel('Item photo: Choose photo').setInputFiles(photo())
  await expect(page.getByRole('img', { name: 'Your item' })).toBeVisible()
  await goOn(page)
  // A tap before the second step is drawn would check the first one again.
  await expect(page.getByLabel('Pickup zone')).toBeVisible()
  await goOn(page)
  await expect(page.getByLabel('Pickup zone')).toBeFocused()
  await saysWrong(page.getByLabel('Pickup zone'), 'Pickup zone is required.')
  await isInView(page.getByText('Pickup zone is required.'))
  await page.getByLabel('Pickup zone').selectOption('Osu')
  await page.getByLabel('Drop-off zone').selectOption('Tema')
  await goOn(page)
  await page.getByRole('button', { name: 'Request Delivery' }).click()
  await saysWrong(page.getByLabel('Your name'), 'Your name is required.')
  await saysWrong(page.getByLabel('Offer'), /Enter an offer, up to ₵100,000$/)
  await page.goBack()
  await expect(page.getByLabel('Pickup zone')).toHaveValue('Osu')
})

/** The text is on the screen, and nothing lies on it. */
const isInView = (text: Locator) =>
  expect
    .poll(() =>
      text.evaluate((element) => {
        const { x, y, width, height } = element.getBoundingClientRect()
        return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
      }),
    )
    .toBe(true)

test('After its page is killed the send form has the typed request and its photo, and after a reload what was typed while the disk was busy', async () => {
  const page = visitor
  await page.goto(`${fixture().origin}/send`)
  await fillRequest(page, { item: 'Sewing machine', offer: '1,075.50' }, kofi)
  await expect.poll(() => draftKept(page)).toMatchObject({ offer: '1,075.50' })
  await page.close()
  const again = await page.context().newPage()
  visitor = again
  await again.goto(`${fixture().origin}/send`)
  await expect(again.getByLabel('Describe the item')).toHaveValue('Sewing machine')
  await expect(again.getByRole('img', { name: 'Your item' })).toBeVisible()
  await goOn(again)
  await expect(again.getByLabel('Drop-off zone')).toHaveValue('Tema')
  await goOn(again)
  await expect(again.getByLabel('Your name')).toHaveValue(kofi.name)
  await expect(again.getByLabel('Offer')).toHaveValue('1,075.50')

  const recipient = again.getByLabel('Recipient name')
  await keepTheDiskBusy(again)
  await recipient.fill('Esi Owusu')
  await again.reload()
  await expect(recipient).toHaveValue('Esi Owusu')
  await expect.poll(() => draftKept(again)).toMatchObject({ recipientName: 'Esi Owusu' })
  await expect.poll(() => again.evaluate(() => localStorage.getItem('lastWords:guest'))).toBeNull()
})

/** Expects the field to be invalid with this error, or to be valid. */
async function saysWrong(field: Locator, words: string | RegExp | undefined) {
  if (words === undefined) return expect(field).not.toHaveAttribute('aria-invalid', 'true')
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(field).toHaveAccessibleDescription(words)
}

/** From now on no write ends, as on a slow disk. */
const keepTheDiskBusy = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const asked = indexedDB.open('soma')
        asked.onsuccess = () => {
          const drafts = asked.result.transaction('drafts', 'readwrite').objectStore('drafts')
          const goOn = () => {
            drafts.count().onsuccess = goOn
            resolve()
          }
          goOn()
        }
      }),
  )
