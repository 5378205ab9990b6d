import { expect, type Page } from '@playwright/test'
import { referenceOf } from '#domain/deliveries/reference.ts'
import { expectAccessible } from '../../../e2e/helpers/page/expect-accessible.ts'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import {
  chooseTile,
  offline,
  online,
  seesOffline,
  toast,
} from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { fill } from '../../../helpers/database/fill-database.ts'
import { admin } from '../../../helpers/server/app-server.ts'

const fixture = serverFixture()
const api = serverApi(fixture)
const people = { users: 200, deliveries: 600 }

/** One desk for all tests of this file; each begins at a screen of its own. */
let page: Page
test.beforeAll(async ({ browser }) => {
  await fill(fixture().server.database(), people)
  page = await openPhone(browser, api, await api.ask('login', { body: admin }), {
    origin: fixture().origin,
    viewport: { width: 1280, height: 900 },
    clock: true,
  })
})
test.afterAll(() => page.context().close())
const showing = () => page.getByText(/^Showing /)

test('Offline, admin pages opened before are shown, and a search says that it covers them only', async () => {
  await navigateTo(page, '/admin/deliveries')
  await expect(showing()).toHaveText('Showing 1 to 10 of 600 results')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(showing()).toHaveText('Showing 11 to 20 of 600 results')
  await offline(page)
  await seesOffline(page)
  await expect(page.getByText('Offline: this page is saved on this device.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled()
  await page.getByRole('button', { name: 'Previous' }).click()
  await expect(showing()).toHaveText('Showing 1 to 10 of 600 results')
  await screenshot(page, 'admin-deliveries-offline')
  await page.getByPlaceholder('Search all deliveries...').fill('o')
  await expect(
    page.getByText('Offline: only rows saved on this device are searched.'),
  ).toBeVisible()
  await expect(showing()).toHaveText(/of \d\d results/)
  await online(page)
  await expect(showing()).toHaveText(/of \d{3} results/)
})

test('R27, R52, R161, R191: An admin reads all details of a delivery, corrects it, gives it to a driver and cancels it with a reason', async () => {
  const ama = await api.createAccount('Ama Cancelled', 'sender')
  const dropoffPlace = { text: 'GA-183-8164' }
  const details = { note: 'Keep it dry', size: 'large', fragile: true, dropoffPlace } as const
  const made = await api.createDelivery(ama, { itemDescription: 'A drum', ...details })
  await navigateTo(page, '/admin/deliveries')
  await page.getByPlaceholder('Search all deliveries...').fill('a drum')
  await page.getByRole('button', { name: 'A drum' }).click()
  const dialog = page.getByRole('dialog', { name: 'A drum' })
  for (const text of [
    referenceOf(made.ID),
    made.deliveryCode ?? '',
    'GH₵ 60.00',
    ama.email,
    'Unassigned',
    'Large · Fragile',
    'Keep it dry',
    'GA-183-8164',
  ])
    await expect(dialog.getByText(text).first()).toBeVisible()
  await expect(dialog.getByRole('img', { name: 'A drum' })).toBeVisible()
  await screenshot(page, 'admin-delivery-details')
  await dialog.getByRole('button', { name: 'Correct' }).click()
  const correct = page.getByRole('dialog', { name: 'Correct the request' })
  const save = correct.getByRole('button', { name: 'Save' })
  await expect(save).toBeDisabled()
  await correct.getByLabel("Recipient's number").fill('0209 999 999')
  await chooseTile(page, 'A wrong digit')
  await save.click()
  await expect(dialog.getByText("Corrected: recipient's number")).toBeVisible()
  await expect(dialog.getByText('Support: A wrong digit')).toBeVisible()
  const yaw = await api.createDriver('Yaw Given')
  await dialog.getByRole('button', { name: 'Give to a driver' }).click()
  const give = page.getByRole('dialog', { name: 'Give it to a driver?' })
  await give.getByLabel('Find a driver').fill('Yaw Given')
  await give.getByLabel('Driver', { exact: true }).selectOption(yaw.id)
  await chooseTile(page, 'They asked us to')
  await give.getByRole('button', { name: 'Give the job' }).click()
  await expect(dialog.getByRole('link', { name: 'Yaw Given', exact: true })).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel delivery' }).click()
  const sure = page.getByRole('dialog', { name: 'Cancel this delivery?' })
  const yes = sure.getByRole('button', { name: 'Cancel delivery' })
  await expect(yes).toBeDisabled()
  await chooseTile(page, 'It was requested twice')
  await sure.getByRole('textbox').fill(referenceOf(made.ID).slice(-4).toLowerCase())
  await yes.click()
  await expect(toast(page, 'Status Updated')).toBeVisible()
  expect((await api.deliveryNamed('A drum')).history?.at(-1)).toMatchObject({
    status: 'Cancelled',
    by: 'office',
    reason: 'It was requested twice',
  })
  await expect(dialog.getByText('Support: It was requested twice')).toBeVisible()
  await dialog.getByRole('link', { name: 'Ama Cancelled', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Ama Cancelled' })).toBeVisible()
  await expect(page.getByRole('button', { name: /A drum/ })).toContainText('Cancelled')
})

test('R198, R200, R202: An admin writes a note, suspends a person, lifts it, and says why a driver is rejected', async () => {
  const abu = await api.createAccount('Abu Stopped', 'driver')
  await navigateTo(page, `/admin/users/${abu.id}`)
  await expect(page.getByRole('heading', { name: 'Abu Stopped' })).toBeVisible()
  const notes = page.getByRole('region', { name: 'Notes' })
  await notes.getByRole('textbox').fill('Called, no answer')
  await notes.getByRole('button', { name: 'Add note' }).click()
  await expect(notes.getByRole('listitem')).toContainText('Called, no answer')
  await expect(notes.getByRole('textbox')).toHaveValue('')

  await page.getByRole('button', { name: 'Suspend' }).click()
  const sure = page.getByRole('dialog', { name: 'Suspend Abu Stopped?' })
  const yes = sure.getByRole('button', { name: 'Suspend' })
  await expect(yes).toBeDisabled()
  await chooseTile(page, 'Several accounts')
  await yes.click()
  await expect(page.getByText(/^Suspended until /)).toBeVisible()
  const login = () => api.ask('login', { body: { email: abu.email, password: abu.password } })
  await expect(login()).rejects.toMatchObject({ reason: 'suspended' })
  await page.getByRole('button', { name: 'Lift suspension' }).click()
  await chooseTile(page, 'It is settled')
  await page.getByRole('dialog').getByRole('button', { name: 'Lift suspension' }).click()
  await expect(page.getByText(/^Suspended until /)).toHaveCount(0)
  const { token } = await login()

  await page.getByRole('button', { name: 'Reject' }).click()
  await chooseTile(page, 'The ID has expired')
  await page.getByRole('dialog').getByRole('button', { name: 'Reject driver' }).click()
  await expect(toast(page, 'Driver Rejected')).toBeVisible()
  expect(await api.ask('driverStatus', { token })).toEqual({
    status: 'rejected',
    reason: 'The ID has expired',
  })
})

test('R186: From any screen the office finds a caller by their number, and opens their delivery', async () => {
  const kofi = await api.createAccount('Kofi Caller', 'sender')
  const made = await api.createDelivery(kofi, { itemDescription: 'A talking drum' })
  await navigateTo(page, '/admin/settings')
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type(`+233 ${kofi.phone.slice(1)}`)
  await page.keyboard.press('Enter')
  const people = page.getByRole('region', { name: 'People' })
  await expect(people.getByRole('link')).toHaveText('Kofi Caller')
  await expect(page.getByRole('region', { name: 'Deliveries' })).toContainText(referenceOf(made.ID))
  // The results follow what is typed, and a reload keeps them.
  const field = page.getByRole('searchbox', { name: 'Find a person or a delivery' })
  await field.fill('no such caller')
  await expect(page.getByText('Nothing found')).toBeVisible()
  await field.fill(referenceOf(made.ID))
  await expect(page.getByRole('region', { name: 'Deliveries' }).getByRole('link')).toHaveText(
    'A talking drum',
  )
  await page.reload()
  await expect(field).toHaveValue(referenceOf(made.ID))
  await expect(
    page.getByRole('region', { name: 'Deliveries' }).getByRole('link', { name: 'A talking drum' }),
  ).toBeVisible()
  await screenshot(page, 'admin-search')
  await field.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'A talking drum' })).toBeVisible()
  await page.goBack()
  await expect(field).toHaveValue(referenceOf(made.ID))
  await api.ask('changeStatus', {
    token: kofi.token,
    id: made.ID,
    body: { status: 'Cancelled' },
  })
})

test('R229: A view of a list is saved, opened with one tap on a small phone, removed, and saved again under its name', async () => {
  await page.setViewportSize({ width: 360, height: 740 })
  await navigateTo(page, '/admin/deliveries')
  await expect(showing()).toBeVisible()
  const action = page.getByRole('button', { name: /view$/ })
  await expect(action).toHaveCount(0)
  const search = page.getByPlaceholder('Search all deliveries...')
  await search.fill('drum')
  await action.click()
  const dialog = page.getByRole('dialog', { name: 'Save view' })
  const save = dialog.getByRole('button', { name: 'Save', exact: true })
  await save.click()
  await expect(dialog).toContainText('Enter a name.')
  await dialog.getByLabel('Name').fill('Drums')
  await save.click()
  await expect(action).toHaveText('Remove view')
  await page.evaluate(addViews)
  await page.reload()
  const views = page.getByRole('navigation', { name: 'Saved views' }).getByRole('link')
  await expect(views).toHaveCount(20)
  await expect(views.last()).toHaveText('Drums')
  await expect(views.last()).toBeInViewport()
  await expectAccessible(page, 'admin views')

  const named = (await views.nth(4).textContent()) ?? ''
  await views.nth(4).click()
  await expect(search).toHaveValue('sieve 5')
  await expect(page).toHaveURL(/\?q=sieve\+5$/)
  await action.click()
  await expect(views).toHaveCount(19)
  await expect(action).toHaveText('Save view')
  await action.click()
  await expect(dialog.getByLabel('Name')).toHaveValue(named)
  await save.click()
  await expect(views).toHaveCount(20)
  await page.setViewportSize({ width: 1280, height: 900 })
})

/** Adds 19 views to the list's one. Runs in the page. */
function addViews(): Promise<void> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('soma')
    opening.onsuccess = () => {
      const change = opening.result.transaction('meta', 'readwrite')
      const walk = change.objectStore('meta').openCursor(IDBKeyRange.bound('views:', 'views;'))
      walk.onsuccess = () => {
        const row = walk.result?.value
        const more = Array.from({ length: 19 }, (_, at) => ({
          list: 'adminDeliveries',
          name: `A ${at + 1} of what I look for each morning`,
          query: `q=sieve+${at + 1}`,
        }))
        walk.result?.update({ ...row, value: [...row.value, ...more] })
      }
      change.oncomplete = () => resolve()
      change.onerror = () => reject(change.error)
    }
    opening.onerror = () => reject(opening.error)
  })
}
