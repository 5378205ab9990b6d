import { expect, type Locator, type Page, test } from '@playwright/test'
import { axeViolations } from '../../../e2e/helpers/page/axe.ts'
import { smallTargets } from '../../../e2e/helpers/page/layout-checks.ts'
import { asTimePasses } from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { inTheme } from '../../../e2e/helpers/page/theme.ts'
import { become, demoHost, openDemo, watchStrays } from '../../../e2e/helpers/server/demo-host.ts'

/* The demo's guided tours and its bar. */

const host = demoHost()
test.beforeEach(({ context }) => watchStrays(context, host()))
test.afterEach(() => expect(host().strays).toEqual([]))

const card = (page: Page) => page.getByRole('region', { name: 'Guided tour' })
const shows = (page: Page, words: string) =>
  asTimePasses(page, () => card(page).getByRole('status').textContent()).toContain(words)
/** The element that the tour highlights, outside its own card. */
const highlighted = (page: Page) => page.locator('[data-lit]:not(.demo-go)')
const button = (page: Page, name: string | RegExp) => card(page).getByRole('button', { name })
const press = (page: Page, name: string | RegExp) => button(page, name).click()

test('A card on Home begins a tour that takes one delivery through all roles in ten taps, a dead zone included, and stays until it is read', async ({
  page,
}) => {
  await page.clock.install()
  await openDemo(page, host())
  let taps = 0
  const tap = async (target: Locator) => {
    await expect(target).toBeEnabled()
    await target.click()
    taps += 1
  }
  await tap(page.getByRole('button', { name: 'Begin the tour' }))
  await shows(page, 'Press Request Delivery')
  await expect(highlighted(page)).toHaveText('Request Delivery')
  await screenshot(page, 'demo-tour-request')
  await test.step('It can be left and resumed at the same step', async () => {
    await press(page, /^Leave the tour/)
    await expect(card(page)).toBeHidden()
    await expect(highlighted(page)).toHaveCount(0)
    await become(page, 'Admin')
    await page.getByRole('button', { name: /^Tour:/ }).click()
    await shows(page, 'One parcel through everybody’s hands')
    await press(page, /^Become Esi/)
    await shows(page, 'Press Request Delivery')
  })
  await tap(highlighted(page))
  await shows(page, 'Sent, exactly once')
  await tap(button(page, /^Become Yaw/))
  await shows(page, 'press Accept Job')
  await tap(highlighted(page))
  // His job's screen opens by itself.
  await expect(highlighted(page)).toHaveText('Mark as Picked Up')
  await tap(highlighted(page))
  await shows(page, 'At Adwoa’s door, with no signal')
  await expect(page.getByRole('button', { name: 'Switch the network on' })).toBeVisible()
  await screenshot(page, 'demo-tour-door')
  await test.step('Neither waiting nor a reload advances it', async () => {
    await page.clock.fastForward(60_000)
    await page.reload()
    await shows(page, 'At Adwoa’s door, with no signal')
  })
  await tap(button(page, 'Scan Adwoa’s code'))
  // Seconds later the network comes back by itself.
  await shows(page, 'Handed over with no signal, and sent by itself afterwards')
  await expect(page.getByRole('button', { name: 'Switch the network off' })).toBeVisible()
  await tap(button(page, /^Become Esi/))
  await expect(highlighted(page)).toHaveText('Confirm and pay')
  await tap(highlighted(page))
  await page.getByRole('dialog').and(page.locator(':has([data-lit])')).waitFor()
  await tap(highlighted(page).getByText('Mobile money'))
  await expect(highlighted(page)).toHaveText("I've paid")
  await tap(highlighted(page))
  await shows(page, 'One parcel, from the request to the payment')
  expect(taps).toBeLessThanOrEqual(10)
  await page.clock.fastForward(600_000)
  await page.reload()
  await shows(page, 'One parcel, from the request to the payment')

  await test.step('The tour of the office approves a driver with no wait for Undo, and stays until it is read', async () => {
    await press(page, 'Tour of the office')
    await shows(page, 'What waits comes first')
    await press(page, 'Next')
    await shows(page, 'press Approve')
    await expect(highlighted(page)).toHaveText(/^Approve/)
    await highlighted(page).click()
    await shows(page, 'Approved: Fuseini can drive')
    await press(page, 'Take me there')
    await expect(page.locator('#main').getByText('Yaw Boateng').first()).toBeVisible()
    for (const next of ['Open a delivery', 'The oldest dispute comes first']) {
      await press(page, 'Next')
      await shows(page, next)
      await expect(highlighted(page)).toBeVisible()
    }
    await page.clock.fastForward(600_000)
    await shows(page, 'The oldest dispute comes first')
    await press(page, 'Next')
    await shows(page, 'That is a day at the desk')
    await press(page, 'Look around')
    await expect(card(page)).toBeHidden()
  })
})

test('The bar covers nothing, works by keyboard, has no axe violations in both themes, and targets large enough to touch', async ({
  page,
}) => {
  await openDemo(page, host())
  await expectNothingCovered(page)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: /^Demo: you are Esi/ })).toBeFocused()
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog', { name: 'Who are you?' })
  await expect(sheet).toBeVisible()
  await expectAccessible(page, 'demo-menu')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^SMS/ }).click()
  await expectAccessible(page, 'demo-inbox')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Tour:/ }).click()
  await expectNothingCovered(page)
  await expectAccessible(page, 'demo-tour')
  await page.setViewportSize({ width: 1280, height: 800 })
  await expectAccessible(page, 'demo-wide')
  await page.getByRole('button', { name: 'Admin: Naa Dedei Lamptey' }).click()
  await expect(page).toHaveURL(`${host().home}admin`)
  // A screen that opens takes the focus once, which may interrupt the key presses.
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()
  await expect(async () => {
    await page.getByRole('radio', { name: 'Slow' }).press('ArrowRight')
    await expect(page.getByRole('radio', { name: 'Lossy' })).toBeChecked({ timeout: 1_000 })
  }).toPass()
})

test('A driver who waits for approval is approved with one tap, and his phone hears of it', async ({
  page,
}) => {
  await openDemo(page, host())
  await become(page, 'Pending driver')
  await page.getByRole('button', { name: 'Approve as Naa, the admin' }).click()
  await expect(page).toHaveURL(`${host().home}drive`)
  await expect(page.getByRole('article').first()).toBeVisible()
  await expect(page.getByRole('region', { name: 'Driver application' })).toBeHidden()
})

async function expectAccessible(page: Page, screen: string) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await inTheme(page, colorScheme)
    const found = await axeViolations(page, { colorScheme, within: '.demo-frame' })
    expect.soft(found, `${screen}, ${colorScheme}`).toEqual([])
    await screenshot(page, `${screen}-${colorScheme}`)
  }
  expect.soft(await smallTargets(page), `${screen}, too small to touch`).toEqual([])
}

/** The bar does not cover the app's header, content or tabs. */
async function expectNothingCovered(page: Page) {
  const bar = page.getByRole('complementary', { name: 'Demo' })
  await expect
    .poll(async () => {
      const [above, below] = [await bar.boundingBox(), await page.locator('#main').boundingBox()]
      return above && below && above.y + above.height <= below.y
    })
    .toBe(true)
  const login = page.getByRole('link', { name: 'Login' })
  await expect(login).toBeInViewport({ ratio: 1 })
  await login.click({ trial: true })
  for (const tab of ['Home', 'Send'])
    await page.getByRole('navigation', { name: 'Tabs' }).getByText(tab).click({ trial: true })
}
