import { type Browser, expect, type Page } from '@playwright/test'
import { openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { card } from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { type Account, serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { fill } from '../../../helpers/database/fill-database.ts'

/* More jobs on offer than a phone holds at once (S50): the newest 200, and older ones on scrolling. */

const fixture = serverFixture()
const api = serverApi(fixture)
const jobs = 320

let yaw: Account

test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  await fill(fixture().server.database(), { users: 20, deliveries: 400 })
  await inDatabase(
    `with numbered as (select id, row_number() over (order by created_at desc, id) as place from deliveries)
     update deliveries set status = 'Pending', driver_id = null, is_guest = true, sender_id = null,
       item_description = 'Job ' || place, created_at = now() - place * interval '1 minute',
       updated_at = now() - place * interval '1 minute'
     from numbered where numbered.id = deliveries.id and place <= ${jobs}`,
  )
  await inDatabase(
    `update deliveries set status = 'Cancelled' where item_description not like 'Job %'`,
  )
  yaw = await api.createDriver('Yaw Driver')
})

test('S50: A list grows also on a phone so busy that several reports of its end come at once', async ({
  browser,
}) => {
  const page = await atJobs(browser, (prepared) => prepared.addInitScript(reportInTwos))
  await expect(card(page, 'Job 1')).toBeVisible()
  await expect.poll(() => page.locator('article').count()).toBeGreaterThan(16)
  await page.mouse.wheel(0, 20_000)
  await expect.poll(() => page.locator('article').count()).toBeGreaterThan(40)
})

test('S50: When the newest jobs have all been taken, older ones are shown, and it is not said that there are none', async ({
  browser,
}) => {
  // No events: what is written past the server is in none.
  const page = await atJobs(browser, (prepared) =>
    prepared.route('**/api/events', (route) => route.abort()),
  )
  await expect(card(page, 'Job 1')).toBeVisible()
  await inDatabase(
    `update deliveries set status = 'Cancelled', updated_at = now() where status = 'Pending'
       and substring(item_description from 5)::int <= 200`,
  )
  await page.reload()
  await expect(card(page, 'Job 201')).toBeVisible()
  await expect(page.getByText('No deliveries found')).toBeHidden()
  await screenshot(page, 'many-jobs-2-older')
})

const atJobs = (browser: Browser, prepare?: (page: Page) => Promise<unknown>) =>
  openPhone(browser, api, yaw, { origin: `${fixture().origin}/drive`, prepare })

const inDatabase = (statement: string) => api.inDatabase((client) => client.query(statement))

/** In the page: a report of an intersection comes together with an older one that says the opposite. */
function reportInTwos() {
  const Native = IntersectionObserver
  globalThis.IntersectionObserver = class extends Native {
    constructor(callback: IntersectionObserverCallback, options?: IntersectionObserverInit) {
      super((entries, observer) => {
        const older = entries.map((entry) => ({
          ...entry,
          target: entry.target,
          isIntersecting: !entry.isIntersecting,
        }))
        callback([...older, ...entries], observer)
      }, options)
    }
  }
}
