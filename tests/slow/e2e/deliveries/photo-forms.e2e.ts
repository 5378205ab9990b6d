import { expect } from '@playwright/test'
import { z } from 'zod'
import { failing } from '../../../e2e/helpers/page/expect-toasts.ts'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import {
  draftKept,
  fillRequest,
  kofi,
  openStep,
  storedRows,
  submitRequest,
  toast,
} from '../../../e2e/helpers/page/page-actions.ts'
import { photo } from '../../../e2e/helpers/photo.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

/* Forms whose photo is being replaced: the photo chosen last is sent. */

const fixture = serverFixture()
const api = serverApi(fixture)
const at = () => ({ origin: fixture().origin })

test('A request waits for the photo that is being prepared, and is never sent with the one before', async ({
  browser,
}) => {
  const page = await openPhone(browser, api, undefined, at())
  await navigateTo(page, '/send')
  await fillRequest(page, { item: 'Kora' }, kofi)
  const photoOf = async () => z.object({ photo: z.string() }).parse(await draftKept(page)).photo
  const before = await photoOf()
  // The request stays in the outbox, where the test reads it.
  await page.route('**/images/upload', failing)
  await page.evaluate(() => {
    const decode = createImageBitmap
    window.createImageBitmap = async (file: ImageBitmapSource) => {
      await new Promise((resolve) => addEventListener('decode', resolve, { once: true }))
      return decode(file)
    }
  })
  const picker = page.getByLabel('Item photo: Choose photo')
  const ask = page.getByRole('button', { name: 'Continue' })
  await openStep(page, 1)
  const decode = () => page.evaluate(() => dispatchEvent(new Event('decode')))

  await picker.setInputFiles({ ...photo(2), buffer: Buffer.from('no photo') })
  await ask.click()
  await decode()
  await expect(toast(page, 'Upload Failed')).toBeVisible()
  await expect(ask).toBeEnabled()
  await expect(page).toHaveURL(/step=1/)
  await expect.poll(photoOf).toBe(before)

  await picker.setInputFiles(photo(3))
  await ask.click()
  await expect(ask).toBeDisabled()
  await decode()
  await expect(page).toHaveURL(/step=2/)
  await submitRequest(page)
  const queued = JSON.stringify(await storedRows(page, 'outbox'))
  expect(queued).toContain('Kora')
  expect(queued).not.toContain(before)
  await page.context().close()
})

test('A sign-up waits while its ID photo is being replaced; after a failed replacement it has the photo before', async ({
  browser,
}) => {
  const page = await openPhone(browser, api, undefined, at())
  await navigateTo(page, '/auth?tab=signup&role=driver')
  await page.getByLabel('Full name').fill('Kwame Tetteh')
  await page.getByLabel('Email').fill('kwame@example.com')
  await page.getByLabel('Phone number').fill('0244333555')
  await page.getByLabel('Password').fill('a long enough password')
  await page.getByLabel('ID number').fill('gha1234567890')
  const picker = page.getByLabel('ID photo: Choose photo')
  await picker.setInputFiles(photo(12))
  await expect(page.getByRole('img', { name: 'Your ID' })).toBeVisible()

  let fail = () => {}
  const failed = new Promise<void>((resolve) => {
    fail = resolve
  })
  await page.route('**/images/upload', async (route) => {
    await failed
    await failing(route)
  })
  await picker.setInputFiles(photo(13))
  const form = page.getByRole('tabpanel')
  await expect(form.getByRole('button', { name: 'Uploading your photo…' })).toBeDisabled()
  await expect(picker).toBeDisabled()
  // A page reloaded during the replacement has the photo before.
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toContain('/api/images/')
  await expect(toast(page, 'Uploading photo...')).toBeVisible()
  fail()
  await expect(toast(page, 'Upload Failed')).toBeVisible()
  await expect(page.getByRole('img', { name: 'Your ID' })).toBeVisible()
  await form.getByRole('button', { name: 'Sign Up' }).click()
  await expect(toast(page, 'Signup Successful!')).toBeVisible()
  await page.context().close()
})
