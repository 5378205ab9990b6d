import type { Page } from '@playwright/test'
import { serverApi } from '../../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import {
  atRoom,
  button,
  chooseReason,
  inDialog,
  type Reached,
  tripTo,
} from '../../../e2e/returns/return-actions.ts'
import { looksRight } from '../looks-right.ts'

/* How endings look (R101 to R106). The wait after an attempt is over at once. */

const fixture = serverFixture({ env: { WAIT_MINUTES: '0' } })
const api = serverApi(fixture)

type Look = {
  name: string
  from: Reached
  as: 'sender' | 'driver'
  open?: (page: Page) => Promise<unknown>
}

const looks: Look[] = [
  {
    name: 'give-back',
    from: 'Accepted',
    as: 'driver',
    open: async (page) => {
      await button(page, 'Give the job back').click()
      await chooseReason(page, 'Something else')
      await inDialog(page, 'Give the job back').click()
    },
  },
  {
    name: 'report',
    from: 'Picked Up',
    as: 'driver',
    open: async (page) => {
      await button(page, "I can't deliver").click()
      await inDialog(page, 'Report').click()
    },
  },
  { name: 'waiting', from: 'attempted', as: 'driver' },
  {
    name: 'confirming',
    from: 'Returning',
    as: 'sender',
    open: (page) => button(page, 'Confirm return').click(),
  },
]

for (const { name, from, as, open } of looks)
  test(`Endings are legible, large enough and accessible: ${name}`, async ({ browser }) => {
    const trip = await tripTo(api, from)
    const page = await atRoom(browser, api, fixture(), trip[as], trip.made)
    await open?.(page)
    await looksRight(page, `look-${name}`)
    await page.context().close()
  })
