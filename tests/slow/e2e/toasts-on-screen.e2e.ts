import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { failing } from '../../e2e/helpers/page/expect-toasts.ts'
import { underToast } from '../../e2e/helpers/page/layout-checks.ts'
import { navigateTo, openPhone } from '../../e2e/helpers/page/open-phone.ts'
import { toast } from '../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../e2e/helpers/page/screenshot.ts'
import { serverApi } from '../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../e2e/helpers/server/server-fixture.ts'
import { hold } from '../../e2e/loading/hold.ts'

/* Where a toast lies and how long it stays. The kinds of toasts: toasts.e2e.ts. */

const fixture = serverFixture()
const api = serverApi(fixture)

test('R81: One toast at a time, announced, gone after five seconds in which nobody reads it', async ({
  browser,
}) => {
  const page = await openPhone(browser, api, undefined, { origin: fixture().origin, clock: true })
  const toasts = page.locator('[data-toast]')
  await navigateTo(page, '/drive')
  await expect(toasts).toHaveText([/^Login Required/])
  await expect(page.getByRole('alert').filter({ has: toasts })).toHaveCount(1)
  await navigateTo(page, '/delivery/019352f0-0000-7000-8000-000000000000')
  await expect(toasts).toHaveText([/^Session Expired/])
  const dismiss = toasts.getByRole('button', { name: 'Dismiss' })
  await dismiss.focus()
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
  await expect(toasts).toHaveCount(1)
  await dismiss.blur()
  await page.clock.runFor(4_999)
  await expect(toasts).toHaveCount(1)
  // Nothing moves under a finger.
  await page.mouse.move(10, 600)
  await page.mouse.down()
  await page.clock.runFor(1_000)
  await expect(toasts).toHaveCount(1)
  await page.mouse.up()
  await expect(toasts).toHaveCount(0)
  await page.context().close()
})

test('R53, R81: On a small phone a toast lies on nothing that can be tapped, and leaves with its screen', async ({
  browser,
}) => {
  const { origin } = fixture()
  const viewport = { width: 360, height: 740 }
  const page = await openPhone(browser, api, undefined, { origin, viewport })
  const sender = await api.createAccount('Efua Ofori', 'sender')
  const own = await openPhone(browser, api, sender, {
    origin,
    viewport,
    prepare: (on) => on.route('**/api/sender/deliveries*', failing),
  })
  const shows = async (phone: Page, title: string) => {
    await expect(toast(phone, title)).toBeVisible()
    expect(await underToast(phone)).toEqual([])
    await screenshot(phone, `toast ${title} ${phone.url().replace(/\W+/g, '-').slice(-24)}`)
  }
  const unknown = '/delivery/019352f0-0000-7000-8000-000000000000'
  await navigateTo(page, '/drive')
  await shows(page, 'Login Required')
  await navigateTo(page, '/auth')
  await expect(page.locator('[data-toast]')).toHaveCount(0)
  await page.getByLabel('Email').fill(sender.email)
  await page.getByLabel('Password').fill('not this one')
  await page.getByRole('tabpanel').getByRole('button', { name: 'Login' }).click()
  await shows(page, 'Login Failed')
  await navigateTo(page, unknown)
  await shows(page, 'Session Expired')
  await navigateTo(page, '/delivery/')
  await shows(page, 'Error')

  await navigateTo(own, '/deliveries')
  await shows(own, 'Error')
  const owner = await api.createAccount('Araba Cole', 'sender')
  const others = await api.createDelivery(owner, { itemDescription: 'Diary' })
  await navigateTo(own, `/delivery/${others.ID}`)
  await expect(own.getByText('Failed to load delivery details')).toBeVisible()
  await expect(own).toHaveURL(`${origin}/`)
  await navigateTo(own, '/driver-pending')
  await shows(own, 'Access Denied')
  await navigateTo(own, '/drive')
  await shows(own, 'Driver Access Required')
  await navigateTo(own, '/send')
  await own.getByLabel('Item photo: Choose photo').setInputFiles({
    name: 'list.txt',
    mimeType: 'image/png',
    buffer: Buffer.from('no photo'),
  })
  await shows(own, 'Upload Failed')
  for (const phone of [page, own]) await phone.context().close()
})

test('R81: To place a toast, none of a list’s rows are laid out that are off the screen', async ({
  browser,
}) => {
  const { origin } = fixture()
  const sender = await api.createAccount('Yaa Addo', 'sender')
  const own = await api.createDelivery(sender, {})
  const cancelled = Array.from({ length: 63 }, () => ({
    ...own,
    ID: randomUUID(),
    status: 'Cancelled',
  }))
  const page = await openPhone(browser, api, sender, {
    origin,
    prepare: (on) =>
      on.route('**/api/sender/deliveries*', (route) =>
        route.fulfill({ json: { deliveries: [own, ...cancelled] } }),
      ),
  })
  const offScreen = page.locator('.off-screen-skipped')
  await navigateTo(page, '/deliveries')
  await expect(offScreen.first()).toBeAttached()
  const answer = await hold(page, '**/api/users/me/phone')
  await navigateTo(page, '/profile')
  await page.getByRole('button', { name: 'Edit phone' }).click()
  await page.getByLabel('Phone').fill('0244555667')
  await page.getByRole('button', { name: 'Save' }).click()
  await navigateTo(page, '/deliveries')
  await expect(offScreen.first()).toBeAttached()
  const asked = await page.evaluateHandle(() => {
    const found: Element[] = []
    const { getBoundingClientRect } = Element.prototype
    Element.prototype.getBoundingClientRect = function () {
      if (this.parentElement?.closest('.off-screen-skipped')) found.push(this)
      return getBoundingClientRect.call(this)
    }
    return found
  })
  answer()
  await expect(toast(page, 'Phone Updated')).toBeVisible()
  expect(await asked.evaluate((found) => found.length)).toBe(0)
  expect(await underToast(page)).toEqual([])
  await page.context().close()
})
