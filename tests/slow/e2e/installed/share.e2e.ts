import { expect, type Page } from '@playwright/test'
import { openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { describeItem, draftKept, offline } from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { photo } from '../../../e2e/helpers/photo.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

/* A photo that is shared to the installed app, as Android posts it to the manifest's `share_target`. */

const fixture = serverFixture()
const api = serverApi(fixture)

/** What Android does when somebody picks the app in the share sheet of the gallery or of WhatsApp. */
async function share(page: Page, seed: number, type = 'image/jpeg') {
  const bytes = [...photo(seed).buffer]
  const opened = page.waitForURL(/\/send/)
  await page.evaluate(
    ([bytes, type]) => {
      const form = document.createElement('form')
      form.method = 'POST'
      form.enctype = 'multipart/form-data'
      form.action = '/share'
      const input = document.createElement('input')
      input.type = 'file'
      input.name = 'photo'
      const files = new DataTransfer()
      files.items.add(new File([new Uint8Array(bytes)], 'IMG-2026.jpg', { type }))
      input.files = files.files
      form.append(input)
      document.body.append(form)
      form.submit()
    },
    [bytes, type] as const,
  )
  await opened
}

const shown = (page: Page) => page.getByRole('img', { name: 'Your item' })
const source = (page: Page) => shown(page).getAttribute('src')

test('A photo shared to the app begins a request, with the network off too; a second one replaces it only when the person says so', async ({
  browser,
}) => {
  const page = await openPhone(browser, api, undefined, {
    origin: fixture().origin,
    clock: true,
    serviceWorkers: 'allow',
  })
  await share(page, 1, 'application/pdf')
  await expect(page.getByText('Item photo')).toBeVisible()
  await expect(shown(page)).toHaveCount(0)

  await offline(page)
  await share(page, 1)
  await expect(shown(page)).toBeVisible()
  await expect(page).toHaveURL(/\/send\?step=1$/)
  await screenshot(page, 'installed-1-shared')
  await describeItem(page, 'Sandals')
  await expect.poll(() => draftKept(page)).toMatchObject({ itemDescription: 'Sandals' })

  await share(page, 2)
  const dialog = page.getByRole('dialog', { name: 'Use the shared photo?' })
  await expect(dialog).toBeVisible()
  await screenshot(page, 'installed-2-ask')
  const first = await source(page)
  await dialog.getByRole('button', { name: 'Keep the old one' }).click()
  await expect(dialog).toHaveCount(0)
  expect(await source(page)).toBe(first)
  await share(page, 3)
  const second = await source(page)
  await dialog.getByRole('button', { name: 'Replace photo' }).click()
  await expect.poll(() => source(page)).not.toBe(second)
  await expect(page.getByLabel('Describe the item')).toHaveValue('Sandals')
  await page.context().close()
})

test('Without the worker the server opens the form', async ({ request }) => {
  const answer = await request.post(`${fixture().origin}/share`, {
    multipart: { photo: { name: 'a.jpg', mimeType: 'image/jpeg', buffer: photo(1).buffer } },
    maxRedirects: 0,
  })
  expect(answer.status()).toBe(303)
  expect(answer.headers().location).toBe('/send')
})
