import { type Browser, expect, type Page } from '@playwright/test'
import { expectFull } from '../../../e2e/helpers/page/expect-toasts.ts'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import {
  chooseTile,
  entry,
  fillRequest,
  kofi,
  offline,
  online,
  openStep,
  pill,
  submitRequest,
} from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { photo } from '../../../e2e/helpers/photo.ts'
import { type Account, serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

/* The engine on a phone: events, uploads, sign-in during a queue, and storage. */

const fixture = serverFixture()
const api = serverApi(fixture)

const openForm = (browser: Browser, person?: Account, prepare?: (page: Page) => Promise<unknown>) =>
  openPhone(browser, api, person, {
    origin: `${fixture().origin}/send`,
    clock: true,
    serviceWorkers: 'allow',
    prepare,
  })

test('S27: an upload shows its progress, and starts again after an interruption', async ({
  browser,
}) => {
  const item = 'Painting'
  const page = await openForm(browser)
  await fillRequest(page, { item }, kofi)
  await openStep(page, 1)
  await page.getByLabel('Item photo: Choose photo').setInputFiles(photo(42, 1_200))
  await expect(page.getByRole('img', { name: 'Your item' })).toBeVisible()
  fixture().proxy.set({ kind: 'slow', bytesPerSecond: 8_000 })
  await submitRequest(page)
  await pill(page).click()
  const upload = entry(page, `Request: ${item}`)
  await expect(upload).toContainText(/Sending… \d+ %/)
  await expect(upload.getByRole('progressbar', { name: 'Photo sent' })).toBeVisible()
  await screenshot(page, 'engine-2-photo-going-up')
  fixture().proxy.set({ kind: 'cut' })
  await expect(upload).toContainText('Not sent yet')
  fixture().proxy.set({ kind: 'fine' })
  await page.getByRole('button', { name: 'Retry' }).first().click()
  await expect(entry(page, `Requested: ${item}`)).toContainText('Sent')
  expect(await api.deliveriesNamed(item)).toHaveLength(1)
  await page.context().close()
})

test('S26: a phone with a full disk says so and what to do, loses nothing unsent, and goes on when there is space', async ({
  browser,
}) => {
  const page = await openForm(browser, undefined, (page) => page.addInitScript(failWhenFull))
  await offline(page)
  await fillRequest(page, { item: 'Blanket', seed: 44 }, kofi)
  await submitRequest(page)
  await navigateTo(page, '/send')
  await chooseTile(page, 'Other')
  await page.evaluate(() => sessionStorage.setItem('full', 'yes'))
  await expectFull(page, () => page.getByLabel('Describe the item').fill('A draft without room'))
  await expectFull(page, () => page.getByLabel('Item photo: Choose photo').setInputFiles(photo(45)))
  await expect(page.getByText('Upload Failed')).toHaveCount(0)
  await expect(pill(page)).toHaveText('Phone full')
  await pill(page).click()
  await expect(page.getByText('What you saved is safe')).toBeVisible()
  await screenshot(page, 'engine-4-full')
  await page.evaluate(() => sessionStorage.removeItem('full'))
  await online(page)
  await expect(entry(page, 'Requested: Blanket')).toContainText('Sent')
  expect(await api.deliveriesNamed('Blanket')).toHaveLength(1)
  await page.context().close()
})

/** In the page: while it is told so, writing a photo or a draft throws the quota error. */
function failWhenFull() {
  for (const write of ['add', 'put'] as const) {
    const original = IDBObjectStore.prototype[write]
    IDBObjectStore.prototype[write] = function (...args) {
      if (['photos', 'drafts'].includes(this.name) && sessionStorage.getItem('full'))
        throw new DOMException('No room', 'QuotaExceededError')
      return original.apply(this, args)
    }
  }
}
