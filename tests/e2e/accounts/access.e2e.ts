import { expect, type Page, test } from '@playwright/test'
import { axeViolations } from '../helpers/page/axe.ts'
import {
  contrastOf,
  cutOff,
  largeText,
  smallTargets,
  usualText,
} from '../helpers/page/layout-checks.ts'
import { navigateTo, openPhone } from '../helpers/page/open-phone.ts'
import {
  codeShown,
  fillRequest,
  kofi,
  submitRequest,
  waitingHere,
} from '../helpers/page/page-actions.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { inTheme } from '../helpers/page/theme.ts'
import { installed } from '../helpers/page/worker.ts'
import { type Account, type ServerApi, serverApi } from '../helpers/server/server-api.ts'
import { serverFixture } from '../helpers/server/server-fixture.ts'

/* Accessibility of every screen but the admin's. */

const fixture = serverFixture()
const api: ServerApi = serverApi(fixture)

let abena: Account
let ama: Account
let jobs: { carried: string; open: string }

// axe is slow and checks each screen twice.
test.describe.configure({ timeout: 240_000 })
test.beforeAll(async () => {
  abena = await api.createAccount('Abena Asante', 'sender')
  ama = await api.createDriver('Ama Driver')
  const efua = await api.createAccount('Efua Ofori', 'sender')
  const carried = await api.createDelivery(abena, { itemDescription: 'Laptop', offer: 120.5 })
  await api.acceptDelivery(ama, carried.ID)
  await api.ask('changeStatus', {
    token: ama.token,
    id: carried.ID,
    body: { status: 'Picked Up' },
  })
  const open = await api.createDelivery(efua, { itemDescription: 'Medication' })
  jobs = { carried: carried.ID, open: open.ID }
})

const at = () => ({ origin: fixture().origin })

test('A visitor’s screens are accessible', async ({ browser }) => {
  const page = await openPhone(browser, api, undefined, at())
  await expect(page.getByText('New to Soma?')).toBeVisible()
  await holds(page, 'home')
  await page.getByRole('button', { name: 'How It Works' }).press('Enter')
  await holds(page, 'how it works')
  await page.keyboard.press('Escape')
  for (const [path, heading] of [
    ['/auth', 'Welcome to Soma'],
    ['/auth?step=forgot', 'Forgot your password?'],
    ['/auth?step=reset', 'Choose a new password'],
    ['/auth?step=verify&phone=0244111222', 'Verify your phone'],
    ['/drive', 'Login Required'],
    ['/nowhere', 'Page not found'],
    ['/outbox', 'Outbox'],
    ['/delivery/019352f0-0000-7000-8000-000000000000', 'Session Expired'],
  ] as const) {
    await navigateTo(page, path)
    await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible()
    await holds(page, path)
  }
  await navigateTo(page, '/auth?tab=signup&role=driver')
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page.getByText('Name is required.').first()).toBeVisible()
  await holds(page, 'signup with errors')
  await page.context().close()
})

test('A guest’s screens are accessible, online and offline', async ({ browser }) => {
  const page = await openPhone(browser, api, undefined, { ...at(), serviceWorkers: 'allow' })
  await installed(page)
  await navigateTo(page, '/send')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Item description is required.').first()).toBeVisible()
  await holds(page, 'send with errors')
  await fillRequest(page, { item: 'Box of mangoes' }, kofi)
  await page.context().setOffline(true)
  await submitRequest(page)
  await expect(waitingHere(page)).toBeVisible()
  await holds(page, 'room waiting')
  await navigateTo(page, '/outbox')
  await expect(page.getByRole('article').first()).toBeVisible()
  await holds(page, 'outbox waiting')
  await page.goBack()
  await page.context().setOffline(false)
  await codeShown(page)
  await expect(page.locator('[data-toast]')).toHaveCount(0, { timeout: 20_000 })
  await holds(page, 'room with code')
  for (const colorScheme of ['light', 'dark'] as const) {
    await inTheme(page, colorScheme)
    expect(await contrastOf(page.getByTestId('delivery-code'))).toBeGreaterThanOrEqual(7)
    expect(await contrastOf(page.getByText('Pending').first())).toBeGreaterThanOrEqual(7)
  }
  const heights = await page.evaluate(() =>
    [...document.querySelectorAll('#main *')].map((each) => ({
      code: each.matches('[data-testid=delivery-code]'),
      size: Number.parseFloat(getComputedStyle(each).fontSize),
    })),
  )
  const biggest = Math.max(...heights.filter(({ code }) => !code).map(({ size }) => size))
  expect(heights.find(({ code }) => code)?.size).toBeGreaterThan(biggest * 1.5)
  await page.getByRole('button', { name: 'Report an issue' }).click()
  await holds(page, 'report')
  await page.context().close()
})

test('The screens of a sender and of drivers, approved and not, are accessible', async ({
  browser,
}) => {
  const screens: [string, Account, string[]][] = [
    ['sender', abena, ['/', '/send', `/delivery/${jobs.carried}`, '/profile', '/drive']],
    [
      'driver',
      ama,
      ['/', '/drive', `/delivery/${jobs.carried}`, `/delivery/${jobs.open}`, '/profile'],
    ],
    ['waiting', await api.createAccount('Kwesi', 'driver'), ['/', '/drive', '/driver-pending']],
  ]
  for (const [name, person, paths] of screens) {
    const page = await openPhone(browser, api, person, at())
    for (const path of paths) {
      await navigateTo(page, path)
      await expect(page.getByRole('heading').first()).toBeVisible()
      await expect(page.locator('.skeleton')).toHaveCount(0)
      await holds(page, `${name} ${path.slice(0, 10)}`)
    }
    await page.context().close()
  }
})

test('With the keyboard only, the focus follows the open screen or sheet', async ({ browser }) => {
  const page = await openPhone(browser, api, undefined, { ...at(), reducedMotion: 'reduce' })
  const focused = page.locator(':focus')
  await page.keyboard.press('Tab')
  await expect(focused).toHaveText('Skip to content')
  await page.keyboard.press('Enter')
  await expect(page.locator('#main')).toBeFocused()

  const how = page.getByRole('button', { name: 'How It Works' })
  await how.focus()
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog')
  await expect(sheet).toBeVisible()
  await expect(sheet.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await expect(how).toBeFocused()

  await page.getByRole('link', { name: /Send a Package/ }).press('Enter')
  await expect(page.locator('#main')).toBeFocused()
  await page.getByRole('link', { name: 'Login' }).press('Enter')
  await page.getByRole('tab', { name: 'Login' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'Sign Up' })).toBeFocused()
  await expect(page.getByLabel('Full name')).toBeVisible()
  const long = await page.evaluate(
    () =>
      document.getAnimations().filter((each) => Number(each.effect?.getTiming().duration) > 200)
        .length,
  )
  expect(long).toBe(0)
  await page.context().close()
})

test('A change of status is announced to screen readers', async ({ browser }) => {
  const page = await openPhone(browser, api, abena, at())
  await navigateTo(page, `/delivery/${jobs.carried}`)
  const steps = page.getByRole('list', { name: 'Delivery status' })
  await expect(steps).toHaveAttribute('aria-live', 'polite')
  await expect(steps.getByRole('listitem')).toHaveCount(5)
  await expect(steps.locator('[aria-current=step]')).toHaveText(/Picked Up, current step/)
  const made = await api.deliveryNamed('Laptop')
  const code = made.deliveryCode ?? ''
  await api.ask('completeDelivery', { token: ama.token, id: made.ID, body: { code } })
  await expect(steps.locator('[aria-current=step]')).toHaveText(/Delivered/, { timeout: 15_000 })
  await page.context().close()
})

/** What axe finds; it looks again when the screen was still rendering. */
async function violationsOf(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  let found: string[] = []
  for (let tries = 0; tries < 3; tries++) {
    await expect(page.getByRole('main')).toBeVisible()
    found = await axeViolations(page, { colorScheme })
    if (found.length === 0) break
    await page.waitForTimeout(500)
  }
  return found
}

/** Expects no axe violation in either theme, targets of 48 px, and nothing cut off at 320 px or with text twice as big. */
async function holds(page: Page, screen: string) {
  await test.step(screen, async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await inTheme(page, colorScheme)
      const found = await violationsOf(page, colorScheme)
      expect.soft(found, `${screen}, ${colorScheme}`).toEqual([])
    }
    await inTheme(page, 'light')
    expect.soft(await smallTargets(page), `${screen}, too small to touch`).toEqual([])
    await screenshot(page, `access-${screen.replaceAll(/\W+/g, '-')}`)
    await page.setViewportSize({ width: 320, height: 640 })
    await largeText(page)
    expect.soft(await cutOff(page), `${screen}, cut off at 320 px and 200 %`).toEqual([])
    await screenshot(page, `access-${screen.replaceAll(/\W+/g, '-')}-200`)
    await usualText(page)
    await page.setViewportSize({ width: 360, height: 740 })
  })
}
