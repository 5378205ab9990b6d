import { expect, type Page, test } from '@playwright/test'
import { admin } from '../../helpers/server/app-server.ts'
import { openPhone } from '../helpers/page/open-phone.ts'
import {
  fillRequest,
  logIn,
  newPhone,
  offline,
  online,
  submitRequest,
  toast,
} from '../helpers/page/page-actions.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture } from '../helpers/server/server-fixture.ts'

/* One phone with several accounts, and sessions ended from another phone. */

const fixture = serverFixture()
const api = serverApi(fixture)

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

test('A logout removes all data of the account from the phone', async ({ browser }) => {
  const ama = await api.createAccount('Ama Shared', 'sender')
  const page = await newPhone(browser, fixture().origin)
  await logIn(page, ama)
  await fillRequest(page, { item: 'Family photos', recipient: 'Efua Recipient', seed: 31 })
  const id = await submitRequest(page)
  await expect(page.getByTestId('delivery-code')).toHaveText(/^\d{5}$/)
  const { deliveryCode = '', itemPhoto = '' } = await api.deliveryNamed('Family photos')
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '')
  await page.goto(`${fixture().origin}/profile`)
  await expect(page.getByRole('heading', { name: 'Sent deliveries' })).toBeVisible()
  const secrets = [ama.name, ama.phone, ama.email, ama.id, id, 'Efua', deliveryCode, token]
  const before = await everythingKept(page)
  for (const each of [...secrets, itemPhoto]) expect(before).toContain(each)

  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(toast(page, 'Logged out')).toBeVisible()
  const after = await everythingKept(page)
  expect([...secrets, itemPhoto].filter((each) => after.includes(each))).toEqual([])
  expect(after).toContain('soma-app-')

  const kojo = await api.createAccount('Kojo Next', 'sender')
  await logIn(page, kojo)
  await page.goto(`${fixture().origin}/profile`)
  await expect(page.getByText('No deliveries yet')).toBeVisible()
  await page.context().close()
})

test('R12: An offline logout ends the session at the server once there is a network', async ({
  browser,
}) => {
  const yaa = await api.createAccount('Yaa Offline', 'sender')
  const page = await newPhone(browser, fixture().origin)
  await logIn(page, yaa)
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '')
  await page.goto(`${fixture().origin}/profile`)
  await expect(page.getByRole('heading', { name: 'Signed in on' })).toBeVisible()
  await offline(page)
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(toast(page, 'Logged out')).toBeVisible()
  expect(
    await page.evaluate(() => [localStorage.getItem('token'), localStorage.getItem('user')]),
  ).toEqual([null, null])
  await api.ask('me', { token })
  await page.reload()
  await online(page)
  const isAlive = () =>
    api.ask('me', { token }).then(
      () => true,
      () => false,
    )
  await expect.poll(isAlive, { timeout: 20_000 }).toBe(false)
  expect(await everythingKept(page)).not.toContain(token)
  await page.context().close()
})

test('R12: A session is ended from another phone', async ({ browser }) => {
  const esi = await api.createAccount('Esi Two Phones', 'sender')
  const lost = await newPhone(browser, fixture().origin)
  await logIn(lost, esi)
  const here = await newPhone(browser, fixture().origin)
  await logIn(here, esi)
  await here.goto(`${fixture().origin}/profile`)
  const section = here.getByRole('region', { name: 'Signed in on' })
  await expect(section.getByRole('listitem').first()).toContainText('This device')
  const others = section.getByRole('button', { name: /^Sign out on .+, since \d+ \w+$/ })
  // The session of the other phone and that of the sign-up.
  await expect(others).toHaveCount(2)
  for (const left of [1, 0]) {
    await others.first().click()
    await here.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
    await expect(others).toHaveCount(left)
  }
  await expect(section.getByRole('listitem')).toHaveCount(1)
  await lost.goto(`${fixture().origin}/profile`)
  await expect(lost).toHaveURL(/\/auth$/, { timeout: 20_000 })
  await expect(section.getByText('This device')).toBeVisible()
  for (const page of [lost, here]) await page.context().close()
})

test('Of many sessions the newest five are shown, and Logout stays on the screen', async ({
  browser,
}) => {
  const abla = await api.createAccount('Abla Many Phones', 'sender')
  const { email, password } = abla
  for (let logins = 0; logins < 8; logins++) await api.ask('login', { body: { email, password } })
  const page = await newPhone(browser, fixture().origin)
  await logIn(page, abla)
  await page.goto(`${fixture().origin}/profile`)
  const devices = page.getByRole('region', { name: 'Signed in on' }).getByRole('listitem')
  await expect(devices).toHaveCount(5)
  await expect(devices.first()).toContainText('This device')
  await page.getByRole('button', { name: 'Show all 10' }).click()
  await expect(devices).toHaveCount(10)
  await page.context().close()
})

test('A logout removes the app’s photo caches and keeps those of the demo beside it', async ({
  browser,
}) => {
  const page = await newPhone(browser, fixture().origin)
  await logIn(page, await api.createAccount('Adjoa Pictures', 'sender'))
  await page.goto(`${fixture().origin}/profile`)
  await page.evaluate(async () => {
    for (const name of ['soma-images-2', 'soma-images', 'soma-demo:/demo/:soma-images-2'])
      await caches.open(name)
  })
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(toast(page, 'Logged out')).toBeVisible()
  const names = await page.evaluate(() => caches.keys())
  expect(names.filter((name) => name.includes('images'))).toEqual([
    'soma-demo:/demo/:soma-images-2',
  ])
  await page.context().close()
})

test('R57: The audit log shows that it is empty, is searchable, and is for admins only', async ({
  browser,
}) => {
  const { token } = await api.ask('login', { body: admin })
  const { entries } = await api.ask('adminAudit', { token })
  const desk = await openPhone(browser, api, { token }, { origin: fixture().origin })
  await desk.goto(`${fixture().origin}/admin/audit`)
  await expect(desk.getByRole('heading', { name: 'Audit log' })).toBeVisible()
  await expect(desk.getByRole('link', { name: 'Audit log' })).toHaveAttribute(
    'aria-current',
    'page',
  )
  if (entries.length === 0)
    await expect(desk.getByText('No entries yet.').filter({ visible: true })).toBeVisible()
  await desk.getByRole('searchbox', { name: 'Search the audit log...' }).fill('nothing like this')
  await expect(desk.getByText('No results.').filter({ visible: true })).toBeVisible()
  await expect(desk.getByRole('button', { name: 'Download CSV' })).toBeVisible()
  await desk.context().close()
  const sender = await api.createAccount('Not An Admin', 'sender')
  const page = await openPhone(browser, api, sender, { origin: fixture().origin })
  await page.goto(`${fixture().origin}/admin/audit`)
  await expect(page).not.toHaveURL(/admin/)
  await page.context().close()
})
