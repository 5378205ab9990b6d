import { expect, type Page } from '@playwright/test'
import { expectFull } from '../../../e2e/helpers/page/expect-toasts.ts'
import { navigateTo } from '../../../e2e/helpers/page/open-phone.ts'
import {
  chooseTile,
  fillRequest,
  kofi,
  offline,
  pill,
  submitRequest,
} from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { installed } from '../../../e2e/helpers/page/worker.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

/* A phone without room, by the browser's own quota. */

const fixture = serverFixture()

test('S26: on a full phone a photo, a draft and a request say that it is full and what to do', async ({
  page,
}) => {
  await page.goto(`${fixture().origin}/send`)
  await installed(page)
  await offline(page)
  await fillRequest(page, { item: 'Kept before', seed: 61 }, kofi)
  await submitRequest(page)
  await expect(pill(page)).toHaveText('Offline · 1 waiting')
  await navigateTo(page, '/send')
  await chooseTile(page, 'Other')

  const lift = await fillDisk(page)
  await expectFull(page, () => page.getByLabel('Describe the item').fill('A draft without room'))
  await expectFull(page, async () => {
    const photo = Buffer.from(await noisyPhoto(page), 'base64')
    await page
      .getByLabel('Item photo: Choose photo')
      .setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: photo })
  })
  await expect(page.getByText('Upload Failed')).toHaveCount(0)
  await screenshot(page, 'full-phone')
  await expect(pill(page)).toContainText('1 waiting')
  await lift()
})

/** Gives the app less room than it takes already; returns how to end that. */
async function fillDisk(page: Page): Promise<() => Promise<unknown>> {
  const session = await page.context().newCDPSession(page)
  const { origin } = fixture()
  await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 })
  // The browser looks at the quota anew only after a while.
  await expect.poll(() => page.evaluate(writeByte)).toBe('QuotaExceededError')
  return () => session.send('Storage.overrideQuotaForOrigin', { origin })
}

/** Writes one row to a database of its own; resolves to the name of the error, if there was one. */
const writeByte = () =>
  new Promise<string>((resolve) => {
    const opening = indexedDB.open('scratch')
    opening.onupgradeneeded = () =>
      opening.result.createObjectStore('rows', { autoIncrement: true })
    opening.onerror = () => resolve(opening.error?.name ?? '')
    opening.onsuccess = () => {
      const write = opening.result.transaction('rows', 'readwrite')
      write.objectStore('rows').add(1)
      write.onabort = () => resolve(write.error?.name ?? '')
      write.oncomplete = () => resolve('written')
      opening.result.close()
    }
  })

/** A photo that no encoder makes small, as base64. */
const noisyPhoto = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const canvas = document.createElement('canvas')
    canvas.width = 800
    canvas.height = 800
    const context = canvas.getContext('2d')
    const image = new ImageData(800, 800)
    for (let at = 0; at < image.data.length; at++) image.data[at] = Math.random() * 256
    context?.putImageData(image, 0, 0)
    return canvas.toDataURL('image/png').split(',')[1] ?? ''
  })
