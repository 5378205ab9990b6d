import { expect, type Page } from '@playwright/test'
import { axeViolations } from '../helpers/page/axe.ts'
import { openPhone } from '../helpers/page/open-phone.ts'
import {
  asTimePasses,
  entry,
  fillRequest,
  kofi,
  offline,
  pill,
  submitRequest,
} from '../helpers/page/page-actions.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'

/* What could not be read, or was not sent, leaves a phone as a file and comes back on another. */

const fixture = serverFixture()
const api = serverApi(fixture)

const aside = (page: Page) => page.getByRole('region', { name: "Couldn't be read" })
const imports = (page: Page) => page.getByRole('region', { name: 'Import' })

/** Changes each row of a table of this phone, as another version of the app may have left it. */
const changeRows = (page: Page, table: string, change: string) =>
  page.evaluate(
    ([name, body]) =>
      new Promise<void>((resolve, reject) => {
        const changed = new Function('row', body ?? '') as (row: unknown) => void
        const opening = indexedDB.open('soma')
        opening.onsuccess = () => {
          const writing = opening.result.transaction(name ?? '', 'readwrite')
          const walk = writing.objectStore(name ?? '').openCursor()
          walk.onsuccess = () => {
            const cursor = walk.result
            if (!cursor) return
            const row = cursor.value
            changed(row)
            cursor.update(row)
            cursor.continue()
          }
          writing.oncomplete = () => {
            opening.result.close()
            resolve()
          }
          writing.onerror = () => reject(writing.error)
        }
      }),
    [table, change],
  )

async function saveFile(page: Page): Promise<string> {
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'More for the outbox' }).click()
  await page.getByRole('button', { name: 'Export' }).click()
  return (await downloading).path()
}

const choose = (page: Page, file: { name: string; mimeType: string; buffer: Buffer } | string) =>
  page.getByLabel('Saved file').setInputFiles(file)

const textFile = (text: string) => ({
  name: 'some.json',
  mimeType: 'application/json',
  buffer: Buffer.from(text),
})

test('S58: an unreadable request is saved as a file, imported on a wiped phone, restored and sent', async ({
  browser,
}) => {
  const item = 'Cocoa bags'
  const page = await openPhone(browser, api, undefined, {
    origin: `${fixture().origin}/send`,
    clock: true,
    serviceWorkers: 'allow',
  })
  await offline(page)
  await fillRequest(page, { item, seed: 71 }, kofi)
  await submitRequest(page)
  await expect(pill(page)).toHaveText('Offline · 1 waiting')
  await changeRows(page, 'outbox', "if (row.op !== 'uploadPhoto') row.op = 'teleport'")
  await page.goto(`${fixture().origin}/outbox`)
  await expect(aside(page)).toContainText('Something to be sent')
  await expect(aside(page)).toContainText('This version of the app can’t read it')
  await expect(aside(page).getByRole('button', { name: 'Restore' })).toHaveCount(0)
  await screenshot(page, 'set-aside-1-unreadable')
  expect(await axeViolations(page)).toEqual([])
  const file = await saveFile(page)

  const other = await openPhone(browser, api, undefined, {
    origin: `${fixture().origin}/outbox`,
    clock: true,
  })
  await other.route('**/api/images/upload', (route) => route.abort())
  for (const text of ['GIF89a', '{"app":"Other","items":[]}']) {
    await choose(other, textFile(text))
    await expect(imports(other)).toContainText('Not imported')
    await expect(imports(other)).toContainText('This is not a file that Soma has exported.')
  }
  const theirs = { app: 'Soma', version: 1, account: 'u9', madeBy: 'Efua', items: [], photos: {} }
  await choose(other, textFile(JSON.stringify(theirs)))
  await expect(imports(other)).toContainText('Efua made this file. Log in as that person')
  await screenshot(other, 'import-3-not-theirs')
  expect(await axeViolations(other)).toEqual([])
  await choose(other, file)
  await expect(imports(other)).toContainText('1 item could not be read, and set aside.')
  await expect(imports(other)).toContainText('1 item waiting to be sent.')
  await screenshot(other, 'set-aside-2-imported')
  expect(await axeViolations(other)).toEqual([])
  await choose(other, file)
  await expect(imports(other)).toContainText('Nothing new in this file')
  await expect(imports(other)).toContainText('1 item skipped: on this phone already.')

  const guestSecret = 'x'.repeat(43)
  await changeRows(
    other,
    'setAside',
    `row.value.op = 'createGuestDelivery'; row.value.input.guestSecret = '${guestSecret}'`,
  )
  await other.reload()
  await expect(aside(other).getByRole('button', { name: 'Restore' })).toBeVisible()
  await screenshot(other, 'set-aside-3-restorable')
  await aside(other).getByRole('button', { name: 'Restore' }).click()
  await expect(aside(other)).toBeHidden()
  await expect(entry(other, `Request: ${item}`)).toBeVisible()
  await other.unroute('**/api/images/upload')
  await asTimePasses(other, () => api.deliveriesNamed(item)).toHaveLength(1)
  await expect(entry(other, `Requested: ${item}`)).toContainText('Sent')
  for (const each of [page, other]) await each.context().close()
})
