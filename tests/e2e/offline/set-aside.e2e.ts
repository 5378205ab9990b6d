import { expect, type Page, test } from '@playwright/test'
import { axeViolations } from '../helpers/page/axe.ts'
import { navigateTo, openPhone } from '../helpers/page/open-phone.ts'
import {
  entry,
  fillRequest,
  kofi,
  offline,
  online,
  pill,
  submitRequest,
} from '../helpers/page/page-actions.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { installed } from '../helpers/page/worker.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture } from '../helpers/server/server-fixture.ts'

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
  page,
  browser,
}) => {
  const item = 'Cocoa bags'
  await page.goto(`${fixture().origin}/send`)
  await installed(page)
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

  const other = await openPhone(browser, api, undefined, { origin: fixture().origin })
  await other.route('**/api/images/upload', (route) => route.abort())
  await navigateTo(other, '/outbox')
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
  await expect(entry(other, `Requested: ${item}`)).toContainText('Sent', { timeout: 20_000 })
  expect(await api.deliveriesNamed(item)).toHaveLength(1)
  await other.context().close()
  await online(page)
})

test('S58: what was not sent is imported on a wiped phone and sent once', async ({
  page,
  browser,
}) => {
  const item = 'Shea butter'
  await page.goto(`${fixture().origin}/send`)
  await installed(page)
  await offline(page)
  await fillRequest(page, { item, seed: 72 }, kofi)
  await submitRequest(page)
  await page.goto(`${fixture().origin}/outbox`)
  const file = await saveFile(page)
  await page.close()

  const other = await openPhone(browser, api, undefined, { origin: fixture().origin })
  await navigateTo(other, '/outbox')
  await choose(other, file)
  await expect(imports(other)).toContainText('2 items waiting to be sent.')
  await screenshot(other, 'import-1-sent')
  await expect(entry(other, `Requested: ${item}`)).toContainText('Sent')
  expect(await api.deliveriesNamed(item)).toHaveLength(1)
  await other.context().close()
})

test('S58: a file that is not ours, or another person’s, is refused in plain words', async ({
  browser,
}) => {
  const page = await openPhone(browser, api, undefined, { origin: fixture().origin })
  await navigateTo(page, '/outbox')
  for (const text of ['GIF89a', '{"app":"Other","items":[]}']) {
    await choose(page, textFile(text))
    await expect(imports(page)).toContainText('Not imported')
    await expect(imports(page)).toContainText('This is not a file that Soma has exported.')
  }
  await screenshot(page, 'import-2-not-ours')
  const theirs = { app: 'Soma', version: 1, account: 'u9', madeBy: 'Efua', items: [], photos: {} }
  await choose(page, textFile(JSON.stringify(theirs)))
  await expect(imports(page)).toContainText('Efua made this file. Log in as that person')
  await screenshot(page, 'import-3-not-theirs')
  expect(await axeViolations(page)).toEqual([])
  await page.context().close()
})
