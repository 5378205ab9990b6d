import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { become, demoHost, network, openDemo, watchStrays } from '../helpers/demo-host.ts'
import { smallTargets } from '../helpers/layout-checks.ts'
import { look } from '../helpers/screenshot.ts'
import { inTheme } from '../helpers/theme.ts'

/* The demo's own furniture: its guided tour and its bar. */

const host = demoHost()
test.beforeEach(({ context }) => watchStrays(context, host()))
test.afterEach(() => expect(host().strays).toEqual([]))

const card = (page: Page) => page.getByRole('region', { name: 'Guided tour' })
const says = (page: Page, words: string) =>
  expect(card(page).getByRole('status')).toContainText(words)
/** What the tour points at, outside its own card. */
const lit = (page: Page) => page.locator('[data-lit]:not(.demo-go)')
const follow = (page: Page, name: RegExp) => card(page).getByRole('button', { name }).click()

test('The tour walks one delivery through all roles, each step once it has happened', async ({
  page,
}) => {
  test.setTimeout(120_000)
  await openDemo(page, host())
  await page.getByRole('button', { name: /^Tour/ }).click()
  await says(page, 'One parcel through everybody’s hands')
  await follow(page, /^Become Esi/)
  await says(page, 'Switch the network off')
  await expect(page.getByLabel('Describe the item')).toHaveValue('Kente cloth for a wedding')
  await expect(lit(page)).toHaveAccessibleName('Switch the network off')
  await look(page, 'demo-tour-network')
  await network(page, 'off')
  await says(page, 'Press Request Delivery')
  await lit(page).click()
  await says(page, 'It waits on this phone')
  // Waiting does not advance it, and neither does coming back later.
  await page.reload()
  await says(page, 'It waits on this phone')
  await lit(page).click()
  await says(page, 'It has arrived, exactly once')

  await follow(page, /^Become Yaw/)
  await says(page, 'Press Accept Job')
  await expect(lit(page)).toHaveText('Accept Job')
  await lit(page).click()
  await says(page, 'It is Yaw’s job now')
  await follow(page, /^Take me there/)
  await expect(lit(page)).toHaveText('Mark as Picked Up')
  await lit(page).click()
  await says(page, 'The code that proves its hand-over')

  await follow(page, /^Become Esi/)
  await says(page, 'The code is')
  const code = await page.getByTestId('delivery-code').textContent()
  await says(page, `The code is ${code}`)
  await follow(page, /^Become Yaw/)
  await says(page, 'Enter the code')
  await lit(page).fill(code ?? '')
  await expect(lit(page)).toHaveText('Complete Delivery')
  await lit(page).click()
  await says(page, 'The last word is Esi’s')

  await follow(page, /^Become Esi/)
  await expect(lit(page)).toHaveText('Approve Delivery')
  await lit(page).click()
  await expect(lit(page)).toHaveText('Approve and pay')
  await lit(page).click()
  await says(page, 'Paid')
  await follow(page, /^Become Naa/)
  await says(page, 'One delivery, from the first letter typed to the payment')
  const seen = page.locator('#main').getByText('Kente cloth for a wedding')
  await expect(seen.filter({ visible: true }).first()).toBeVisible()
  await follow(page, /^Look around/)
  await expect(card(page)).toBeHidden()
})

test('The tour can be left, and taken up where it was', async ({ page }) => {
  await openDemo(page, host())
  await page.getByRole('button', { name: /^Tour/ }).click()
  await follow(page, /^Become Esi/)
  await network(page, 'off')
  await says(page, 'Press Request Delivery')
  await follow(page, /^Leave the tour/)
  await expect(card(page)).toBeHidden()
  await expect(lit(page)).toHaveCount(0)
  await network(page, 'on')
  await become(page, 'Admin')
  await page.getByRole('button', { name: /^Tour/ }).click()
  await says(page, 'The request lies ready to be sent')
  await follow(page, /^Become Esi/)
  await says(page, 'Press Request Delivery')
})

test('The bar is for every hand and eye: keyboard, screen reader, thumb, in both themes', async ({
  page,
}) => {
  await openDemo(page, host())
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: /^Demo: you are Esi/ })).toBeFocused()
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog', { name: 'Who are you?' })
  await expect(sheet).toBeVisible()
  await holds(page, 'demo-menu')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^SMS/ }).click()
  await holds(page, 'demo-inbox')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Tour/ }).click()
  await holds(page, 'demo-tour')
  await page.setViewportSize({ width: 1280, height: 800 })
  await holds(page, 'demo-wide')
  await page.getByRole('button', { name: 'Admin: Naa Dedei Lamptey' }).click()
  await expect(page).toHaveURL(`${host().home}admin`)
  // A screen that has just opened takes the focus once.
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()
  await expect(async () => {
    await page.getByRole('radio', { name: 'Slow' }).press('ArrowRight')
    await expect(page.getByRole('radio', { name: 'Lossy' })).toBeChecked({ timeout: 1_000 })
  }).toPass()
})

test('The bar never lies over the app: its header, its tabs and its toasts keep their places', async ({
  page,
}) => {
  await openDemo(page, host())
  const bar = page.getByRole('complementary', { name: 'Demo' })
  for (const tour of [false, true]) {
    if (tour) await page.getByRole('button', { name: /^Tour/ }).click()
    await expect
      .poll(async () => {
        const [above, below] = [await bar.boundingBox(), await page.locator('#main').boundingBox()]
        return above && below && above.y + above.height <= below.y
      })
      .toBe(true)
    await expect(page.getByRole('link', { name: 'Login' })).toBeInViewport({ ratio: 1 })
    await page.getByRole('link', { name: 'Login' }).click({ trial: true })
    for (const tab of ['Home', 'Send'])
      await page.getByRole('navigation', { name: 'Tabs' }).getByText(tab).click({ trial: true })
  }
})

async function holds(page: Page, screen: string) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await inTheme(page, colorScheme)
    const axe = new AxeBuilder({ page }).setLegacyMode(true).include('.demo-frame')
    const { violations } = await axe.analyze()
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
    expect.soft(found, `${screen}, ${colorScheme}`).toEqual([])
    await look(page, `${screen}-${colorScheme}`)
  }
  expect.soft(await smallTargets(page), `${screen}, too small to touch`).toEqual([])
}
