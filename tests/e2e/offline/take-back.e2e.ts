import { expect, type Page } from '@playwright/test'
import { axeViolations } from '../helpers/page/axe.ts'
import { navigateTo, openPhone } from '../helpers/page/open-phone.ts'
import {
  asTimePasses,
  entry,
  fillRequest,
  kofi,
  submitRequest,
} from '../helpers/page/page-actions.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { serverApi } from '../helpers/server/server-api.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'

/* Taking back, stopping and logging out, where an answer was lost: what the person is told of it. */

const fixture = serverFixture()
const api = serverApi(fixture)

/** The outbox, whose code is then there without a network. */
const at = () => ({ origin: `${fixture().origin}/outbox`, clock: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true })
const asking = 'Cancelling…'

/** Every answer but those to reads and photos is lost, once the server has done what it was asked. */
const loseAnswers = () =>
  fixture().proxy.set({
    kind: 'answer lost',
    losing: (line) => !line.startsWith('GET ') && !line.includes('/images/'),
  })

test('S56: a request whose answer was lost is asked to be taken back, and cancelled on the server', async ({
  browser,
}) => {
  const item = 'Wall mirror'
  const page = await openPhone(browser, api, undefined, at())
  await navigateTo(page, '/send')
  await fillRequest(page, { item, seed: 61 }, kofi)
  loseAnswers()
  await submitRequest(page)
  await expect.poll(() => api.deliveriesNamed(item)).toHaveLength(1)
  await expect(button(page, 'Cancel this request')).toBeVisible()
  fixture().proxy.set({ kind: 'cut' })
  await button(page, 'Cancel this request').click()
  const question = page.getByRole('dialog', { name: 'Cancel this request?' })
  await expect(question).toContainText('may already have arrived')
  await screenshot(page, 'take-back-1-request-question')
  await inDialog(page, 'Cancel this request').click()
  await expect(page.locator('#main')).toContainText(asking)
  await screenshot(page, 'take-back-2-request-room')
  await navigateTo(page, '/outbox')
  const request = entry(page, `Request: ${item}`)
  await expect(request).toContainText(asking)
  await screenshot(page, 'take-back-3-request-asking')
  expect(await axeViolations(page)).toEqual([])

  fixture().proxy.set({ kind: 'fine' })
  await asTimePasses(page, () => entry(page, `Requested: ${item}`).textContent()).toContain(
    'Cancelled',
  )
  await screenshot(page, 'take-back-4-request-taken-back')
  expect((await api.deliveryNamed(item)).status).toBe('Cancelled')
  await page.context().close()
})
