import { expect } from '@playwright/test'
import { openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import { card } from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { fill } from '../../../helpers/database/fill-database.ts'

/* More jobs than a phone draws at once (S50). */

const fixture = serverFixture()
const api = serverApi(fixture)
const jobs = 60

test('S50: A list grows as the driver scrolls; who comes back to it finds the row at which they left it, where it was', async ({
  browser,
}) => {
  await fill(fixture().server.database(), { users: 20, deliveries: jobs })
  await api.inDatabase((client) =>
    client.query(
      `with numbered as (select id, row_number() over (order by created_at desc, id) as place from deliveries)
       update deliveries set status = 'Pending', driver_id = null, is_guest = true, sender_id = null,
         item_description = 'Job ' || place, created_at = now() - place * interval '1 minute',
         updated_at = now() - place * interval '1 minute'
       from numbered where numbered.id = deliveries.id`,
    ),
  )
  const yaw = await api.createDriver('Yaw Driver')
  const page = await openPhone(browser, api, yaw, { origin: `${fixture().origin}/drive` })
  await expect(card(page, 'Job 1')).toBeVisible()
  const shown = page.getByRole('article')
  await expect
    .poll(async () => {
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
      return shown.count()
    })
    .toBe(jobs)

  const row = card(page, 'Job 40')
  await row.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const top = () => row.evaluate((element) => Math.round(element.getBoundingClientRect().top))
  // Rows that are scrolled near may turn out higher than foreseen.
  let before = Number.NaN
  await expect
    .poll(
      async () => {
        const was = before
        before = await top()
        return before === was
      },
      { intervals: [250] },
    )
    .toBe(true)
  await page.getByRole('link', { name: 'Home' }).filter({ visible: true }).click()
  await expect(page.getByRole('heading', { name: 'Welcome back, Yaw Driver' })).toBeVisible()
  await page.goBack()
  await expect(row).toBeInViewport()
  await expect.poll(async () => Math.abs((await top()) - before)).toBeLessThanOrEqual(1)
  await screenshot(page, 'many-jobs-3-back')
  await page.context().close()
})
