import { expect } from '@playwright/test'
import { appOpened } from '../../../e2e/helpers/page/app-opened.ts'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import {
  codeShown,
  fillRequest,
  kofi,
  pill,
  submitRequest,
} from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

/* Deliveries a person may not see, and rows a phone cannot read. */

const fixture = serverFixture()
const api = serverApi(fixture)

test('Rows this phone cannot read are quarantined and listed, close their delivery’s screen, and the app works', async ({
  browser,
}) => {
  const item = 'Gas stove'
  const { origin } = fixture()
  const id = crypto.randomUUID()
  const page = await openPhone(browser, api, undefined, { origin })
  await page.evaluate(spoil, id)
  await page.goto(`${origin}/delivery/${id}`)
  await expect(page.getByRole('heading', { name: 'Session Expired' })).toBeVisible()
  await page.goto(origin)
  await expect(page.getByRole('link', { name: 'Send a Package' })).toBeVisible()
  await expect(page.getByRole('link', { name: /Track My Delivery/ })).toBeHidden()

  await expect(pill(page)).toHaveText('2 to fix')
  await pill(page).click()
  const aside = page.getByRole('region', { name: "Couldn't be read" })
  await expect(aside.getByRole('article')).toHaveCount(2)
  await expect(aside.getByText('Your guest record')).toBeVisible()
  await expect(aside.getByText('Something to be sent')).toBeVisible()
  await expect(aside.getByText('It could not be read.').first()).toBeVisible()
  await aside.getByText('Show what it holds').first().click()
  await screenshot(page, 'doors-4-set-aside')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)

  await navigateTo(page, '/send')
  await fillRequest(page, { item, seed: 33 }, kofi)
  await submitRequest(page)
  await codeShown(page)
  expect(await api.deliveriesNamed(item)).toHaveLength(1)

  await navigateTo(page, '/outbox')
  await expect(aside.getByRole('article')).toHaveCount(2)
  await aside.getByRole('button', { name: 'Delete' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(aside.getByRole('article')).toHaveCount(1)
  await expect(pill(page)).toHaveText('1 to fix')
  await page.context().close()
})

test('R53, R58: A guest cannot open another person’s delivery, with and without one of their own, and theirs for 24 hours', async ({
  browser,
}) => {
  const { origin } = fixture()
  const owner = await api.createAccount('Afua Kyei', 'sender')
  const { ID: others } = await api.createDelivery(owner, { itemDescription: 'Love letters' })
  const page = await openPhone(browser, api, undefined, { origin, clock: true })
  await navigateTo(page, `/delivery/${others}`)
  const expired = page.getByRole('heading', { name: 'Session Expired' })
  await expect(expired).toBeVisible()
  await screenshot(page, 'doors-1-session-expired')

  await navigateTo(page, '/send')
  await fillRequest(page, { item: 'Toolbox', seed: 31 }, kofi)
  const id = await submitRequest(page)
  await codeShown(page)
  await navigateTo(page, `/delivery/${others}`)
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
  await expect(
    page.getByText("This delivery doesn't belong to your guest session.").first(),
  ).toBeVisible()
  await expect(page.getByText('Love letters')).toBeHidden()
  await screenshot(page, 'doors-2-access-denied')

  const track = page.getByRole('link', { name: /Track My Delivery/ })
  await page.clock.fastForward('23:50:00')
  await page.goto(origin)
  await expect(track).toBeVisible()
  await page.clock.fastForward('00:20:00')
  await page.reload()
  await appOpened(page)
  await expect(page.getByRole('link', { name: 'Send a Package' })).toBeVisible()
  await expect(track).toBeHidden()
  await navigateTo(page, `/delivery/${id}`)
  await expect(expired).toBeVisible()
  await page.context().close()
})

/** Runs in the page: writes rows, one about this delivery, as a broken disk or another version may leave them. */
async function spoil(id: string) {
  const db = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open('soma')
    opening.onsuccess = () => resolve(opening.result)
    opening.onerror = () => reject(opening.error)
  })
  const change = db.transaction(['guests', 'outbox'], 'readwrite')
  change.objectStore('guests').put({ id, senderName: 5, createdAt: null })
  change.objectStore('outbox').add({
    id: crypto.randomUUID(),
    v: 99,
    account: 'guest',
    op: 'sendPigeon',
    lane: 'pigeon',
    after: [],
    photos: [],
    input: { bird: 'grey' },
    state: 'waiting',
    title: 'A pigeon',
  })
  await new Promise((done) => change.addEventListener('complete', done))
  db.close()
}
