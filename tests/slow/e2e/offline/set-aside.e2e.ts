import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { axeViolations } from '../../../e2e/helpers/page/axe.ts'
import { openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import {
  asTimePasses,
  entry,
  fillRequest,
  kofi,
  offline,
  online,
  pill,
  submitRequest,
} from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

/* What could not be read leaves a phone as a file, and is sent once it can be read. */

const fixture = serverFixture()
const api = serverApi(fixture)

const aside = (page: Page) => page.getByRole('region', { name: "Couldn't be read" })

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

test('S58: an unreadable request is saved as a file, and restored and sent once it can be read', async ({
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
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'More for the outbox' }).click()
  await page.getByRole('button', { name: 'Export' }).click()
  const file = JSON.parse(await readFile(await (await downloading).path(), 'utf8'))
  expect(file.setAside).toHaveLength(1)

  await changeRows(page, 'setAside', "row.value.op = 'createGuestDelivery'")
  await page.reload()
  await expect(aside(page).getByRole('button', { name: 'Restore' })).toBeVisible()
  await screenshot(page, 'set-aside-2-restorable')
  await aside(page).getByRole('button', { name: 'Restore' }).click()
  await expect(aside(page)).toBeHidden()
  await expect(entry(page, `Request: ${item}`)).toBeVisible()
  await online(page)
  await asTimePasses(page, () => api.deliveriesNamed(item)).toHaveLength(1)
  await expect(entry(page, `Requested: ${item}`)).toContainText('Sent')
  await page.context().close()
})
