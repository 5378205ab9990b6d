import { expect } from '@playwright/test'
import { openPhone } from '../helpers/page/open-phone.ts'
import { card } from '../helpers/page/page-actions.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'

/* What a warm start asks of the phone's database until its rows are drawn: a count is the same on every machine. */

const fixture = serverFixture()
const api = serverApi(fixture)

// What the engine asks meanwhile may fall before or after the drawing.
const most = 19

test('A driver’s list is drawn after at most 19 transactions', async ({ browser }) => {
  const [ama, yaw] = [await api.createAccount('Ama', 'sender'), await api.createDriver('Yaw')]
  await api.createDelivery(ama, { itemDescription: 'Kente cloth' })
  const page = await openPhone(browser, api, yaw, { origin: `${fixture().origin}/drive` })
  await expect(card(page, 'Kente cloth')).toBeVisible()
  await page.addInitScript(countTransactions)
  await page.reload()
  await expect(card(page, 'Kente cloth')).toBeVisible()
  const asked = await page.evaluate(() => (globalThis as unknown as { asked: string[] }).asked)
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(most)
  await page.context().close()
})

/** In the page: notes each transaction until the first row stands on the page. */
function countTransactions() {
  const asked: string[] = []
  Object.assign(globalThis, { asked })
  const { transaction } = IDBDatabase.prototype
  let isDrawn = false
  IDBDatabase.prototype.transaction = function (...of) {
    if (!isDrawn) asked.push(`${of[1]} ${[of[0]].flat().join()}`)
    return transaction.apply(this, of)
  }
  new MutationObserver(() => {
    isDrawn ||= document.querySelector('#main article') !== null
  }).observe(document, { childList: true, subtree: true })
  // The engine waits for the rows, but no longer than this: a slow machine must not count its work too.
  const { setTimeout } = globalThis
  globalThis.setTimeout = ((work: TimerHandler, ms = 0, ...args: unknown[]) =>
    ms === 2_000 ? 0 : setTimeout(work, ms, ...args)) as typeof setTimeout
}
