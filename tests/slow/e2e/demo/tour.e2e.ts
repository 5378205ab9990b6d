import { expect, type Page, test } from '@playwright/test'
import { axeViolations } from '../../../e2e/helpers/page/axe.ts'
import { smallTargets } from '../../../e2e/helpers/page/layout-checks.ts'
import { asTimePasses, submitRequest } from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { inTheme } from '../../../e2e/helpers/page/theme.ts'
import {
  become,
  demoHost,
  network,
  openDemo,
  watchStrays,
} from '../../../e2e/helpers/server/demo-host.ts'

/* The demo's guided tour and its bar. */

const host = demoHost()
test.beforeEach(({ context }) => watchStrays(context, host()))
test.afterEach(() => expect(host().strays).toEqual([]))

const card = (page: Page) => page.getByRole('region', { name: 'Guided tour' })
const shows = (page: Page, words: string) =>
  asTimePasses(page, () => card(page).getByRole('status').textContent()).toContain(words)
/** The element that the tour highlights, outside its own card. */
const highlighted = (page: Page) => page.locator('[data-lit]:not(.demo-go)')
const press = (page: Page, name: RegExp) => card(page).getByRole('button', { name }).click()

test('The tour leads one delivery through all roles, and goes on when a step is done', async ({
  page,
}) => {
  await page.clock.install()
  await openDemo(page, host())
  await page.getByRole('button', { name: /^Tour/ }).click()
  await shows(page, 'One parcel through everybody’s hands')
  await press(page, /^Become Esi/)
  await shows(page, 'Switch the network off')
  await expect(page.getByLabel('Describe the item')).toHaveValue('Kente cloth for a wedding')
  await expect(highlighted(page)).toHaveAccessibleName('Switch the network off')
  await screenshot(page, 'demo-tour-network')
  await network(page, 'off')
  await shows(page, 'press Request Delivery')
  await expect(highlighted(page)).toHaveText('Continue')
  await test.step('It can be left and resumed at the same step', async () => {
    await press(page, /^Leave the tour/)
    await expect(card(page)).toBeHidden()
    await expect(highlighted(page)).toHaveCount(0)
    await network(page, 'on')
    await become(page, 'Admin')
    await page.getByRole('button', { name: /^Tour/ }).click()
    await shows(page, 'Your request is ready to send.')
    await press(page, /^Become Esi/)
    await shows(page, 'press Request Delivery')
    await network(page, 'off')
  })
  await submitRequest(page)
  await shows(page, 'It is not sent yet')
  // Neither waiting nor a reload advances the tour.
  await page.reload()
  await shows(page, 'It is not sent yet')
  await highlighted(page).click()
  await shows(page, 'It has arrived, exactly once')

  await press(page, /^Become Yaw/)
  await shows(page, 'Press Map')
  await expect(highlighted(page)).toHaveText('Map')
  await highlighted(page).click()
  await shows(page, 'press Accept Job')
  await expect(highlighted(page)).toHaveText('Accept Job')
  await highlighted(page).click()
  // His job's screen opens by itself.
  await expect(highlighted(page)).toHaveText('Mark as Picked Up')
  await highlighted(page).click()
  await shows(page, 'The code that proves the hand-over')

  await press(page, /^Become Esi/)
  await shows(page, 'The code is')
  const code = await page.getByTestId('delivery-code').textContent()
  await shows(page, `The code is ${code}`)
  await press(page, /^Become Yaw/)
  await shows(page, 'Enter the code')
  await expect(highlighted(page)).toBeVisible()
  await page.getByLabel('Delivery code').fill(code ?? '')
  await expect(highlighted(page)).toHaveText('Complete Delivery')
  await highlighted(page).click()
  await shows(page, 'Now Esi pays Yaw, and confirms')

  await press(page, /^Become Esi/)
  await expect(highlighted(page)).toHaveText('Confirm and pay')
  await highlighted(page).click()
  await page.getByRole('dialog').and(page.locator(':has([data-lit])')).waitFor()
  await highlighted(page).getByText('Mobile money').click()
  await expect(highlighted(page)).toHaveText("I've paid")
  await highlighted(page).click()
  await shows(page, 'Paid')
  await press(page, /^Become Naa/)
  await shows(page, 'One delivery, from the first letter typed to the payment')
  const seen = page.locator('#main').getByText('Kente cloth for a wedding')
  await expect(seen.filter({ visible: true }).first()).toBeVisible()
  await press(page, /^Look around/)
  await expect(card(page)).toBeHidden()
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
  await page.getByRole('button', { name: /^Tour/ }).click()
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
