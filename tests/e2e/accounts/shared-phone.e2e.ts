import { expect, type Page } from '@playwright/test'
import { navigateTo, openPhone } from '../helpers/page/open-phone.ts'
import {
  codeShown,
  fillRequest,
  logIn,
  submitRequest,
  toast,
} from '../helpers/page/page-actions.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'

/* One phone with several accounts, and sessions ended from another phone. */

const fixture = serverFixture()
const api = serverApi(fixture)
const at = () => ({ origin: fixture().origin })
const installed = () => ({ ...at(), serviceWorkers: 'allow' as const })

/** Everything the app stores in this browser: databases, caches, local and session storage. */
const everythingKept = (page: Page) =>
  page.evaluate(async () => {
    const asked = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const parts: string[] = [JSON.stringify(localStorage), JSON.stringify(sessionStorage)]
    for (const { name } of await indexedDB.databases()) {
      const db = await asked(indexedDB.open(name ?? ''))
      for (const table of db.objectStoreNames)
        parts.push(
          `${table}: ${JSON.stringify(await asked(db.transaction(table).objectStore(table).getAll()))}`,
        )
      db.close()
    }
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) parts.push(`${name} ${url}`)
    return parts.join('\n')
  })

test('A logout removes all data of the account from the phone, and nothing of the demo beside it', async ({
  browser,
}) => {
  const ama = await api.createAccount('Ama Shared', 'sender')
  const page = await openPhone(browser, api, ama, installed())
  await navigateTo(page, '/send')
  await fillRequest(page, { item: 'Family photos', recipient: 'Efua Recipient', seed: 31 })
  const id = await submitRequest(page)
  await codeShown(page)
  const { deliveryCode = '', itemPhoto = '' } = await api.deliveryNamed('Family photos')
  await navigateTo(page, '/profile')
  await expect(page.getByRole('heading', { name: 'Sent deliveries' })).toBeVisible()
  const secrets = [ama.name, ama.phone, ama.email, ama.id, id, 'Efua', deliveryCode, ama.token]
  await page.evaluate(async () => {
    for (const name of ['soma-images-2', 'soma-images', 'soma-demo:/demo/:soma-images-2'])
      await caches.open(name)
  })
  const before = await everythingKept(page)
  for (const each of [...secrets, itemPhoto]) expect(before).toContain(each)

  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(toast(page, 'Logged out')).toContainText('See you soon.')
  const after = await everythingKept(page)
  expect([...secrets, itemPhoto].filter((each) => after.includes(each))).toEqual([])
  expect(after).toContain('soma-app-')
  const names = await page.evaluate(() => caches.keys())
  expect(names.filter((name) => name.includes('images'))).toEqual([
    'soma-demo:/demo/:soma-images-2',
  ])

  await logIn(page, await api.createAccount('Kojo Next', 'sender'))
  await navigateTo(page, '/deliveries')
  await expect(page.getByText('No deliveries yet')).toBeVisible()
  await page.context().close()
})
