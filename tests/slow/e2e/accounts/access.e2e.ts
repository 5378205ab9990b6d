import { expect } from '@playwright/test'
import { accessSuite } from '../../../e2e/accounts/access-suite.ts'
import { expectAccessible } from '../../../e2e/helpers/page/expect-accessible.ts'
import { contrastOf } from '../../../e2e/helpers/page/layout-checks.ts'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import {
  codeShown,
  fillRequest,
  kofi,
  submitRequest,
  waitingHere,
} from '../../../e2e/helpers/page/page-actions.ts'
import { inTheme } from '../../../e2e/helpers/page/theme.ts'
import { test } from '../../../e2e/helpers/server/server-fixture.ts'

/* Accessibility of every screen of everybody but the admin. */

/** Of somebody with a delivery under way, whose Home is drawn anew once that has come from the server. */
const homeWithNow = { path: '/', heading: 'Now' }
const { fixture, api } = accessSuite({
  visitor: [
    { path: '/', heading: 'Welcome to Soma' },
    { path: '/', heading: 'Welcome to Soma', press: ['How It Works', 'For senders'] },
    { path: '/auth?step=forgot', heading: 'Forgot your password?' },
    { path: '/auth', heading: 'Welcome to Soma' },
    {
      path: '/auth?tab=signup&role=driver',
      heading: 'Welcome to Soma',
      press: ['Sign Up', 'Name is required.'],
    },
    { path: '/auth?step=reset', heading: 'Choose a new password' },
    { path: '/auth?step=verify&phone=0244111222', heading: 'Verify your phone' },
    { path: '/send', heading: 'Send a Package' },
    {
      path: '/send',
      heading: 'Send a Package',
      press: ['Continue', 'Item description is required.'],
    },
    { path: '/drive', heading: 'Login Required' },
    { path: '/nowhere', heading: 'Page not found' },
    { path: '/outbox', heading: 'Outbox' },
    { path: '/delivery/019352f0-0000-7000-8000-000000000000', heading: 'Session Expired' },
  ],
  sender: [
    homeWithNow,
    { path: '/send', heading: 'Send a Package' },
    { path: '/delivery/:carried', heading: 'Laptop' },
    {
      path: '/delivery/:carried',
      heading: 'Laptop',
      press: ['Report an issue', 'What happened?'],
    },
    { path: '/profile', heading: 'Account' },
    { path: '/drive', heading: 'Drive' },
    { path: '/deliveries', heading: 'Deliveries' },
  ],
  driver: [
    homeWithNow,
    { path: '/drive', heading: 'Find Deliveries' },
    { path: '/delivery/:carried', heading: 'Laptop' },
    { path: '/delivery/:open', heading: 'Medication' },
    { path: '/profile', heading: 'Account' },
  ],
  'waiting driver': [
    { path: '/', heading: /^Welcome back/ },
    { path: '/drive', heading: 'Drive' },
    { path: '/driver-pending', heading: 'Driver Approval Pending' },
  ],
})
const at = () => ({ origin: fixture().origin })

test('Accessible for a guest whose request waits without a network, and once it was sent', async ({
  browser,
}) => {
  const page = await openPhone(browser, api, undefined, {
    origin: fixture().origin,
    serviceWorkers: 'allow',
  })
  await navigateTo(page, '/send')
  await fillRequest(page, { item: 'Box of mangoes' }, kofi)
  await page.context().setOffline(true)
  await submitRequest(page)
  await expect(waitingHere(page)).toBeVisible()
  await expectAccessible(page, 'room waiting')
  await navigateTo(page, '/outbox')
  await expect(page.getByRole('article').first()).toBeVisible()
  await expectAccessible(page, 'outbox waiting')
  await page.goBack()
  await page.context().setOffline(false)
  await codeShown(page)
  await expectAccessible(page, 'room with code')
  await page.context().close()
})

test('A delivery code is the biggest text of its room, with contrast 7 in both themes; a change of status is announced', async ({
  browser,
}) => {
  const esi = await api.createAccount('Esi Quaye', 'sender')
  const made = await api.createDelivery(esi, { itemDescription: 'Box of mangoes' })
  const page = await openPhone(browser, api, esi, at())
  await navigateTo(page, `/delivery/${made.ID}`)
  const code = page.getByTestId('delivery-code')
  await expect(code).toBeVisible()
  for (const colorScheme of ['light', 'dark'] as const) {
    await inTheme(page, colorScheme)
    expect(await contrastOf(code)).toBeGreaterThanOrEqual(7)
    expect(await contrastOf(page.getByText('Pending').first())).toBeGreaterThanOrEqual(7)
  }
  const sizes = await page.evaluate(() =>
    [...document.querySelectorAll('#main *')].map((each) => ({
      code: each.matches('[data-testid=delivery-code]'),
      size: Number.parseFloat(getComputedStyle(each).fontSize),
    })),
  )
  const biggest = Math.max(...sizes.filter(({ code }) => !code).map(({ size }) => size))
  expect(sizes.find(({ code }) => code)?.size).toBeGreaterThan(biggest * 1.5)

  const yaw = await api.createDriver('Yaw Driver')
  await api.acceptDelivery(yaw, made.ID)
  const about = { token: yaw.token, id: made.ID }
  await api.ask('changeStatus', { ...about, body: { status: 'Picked Up' } })
  const steps = page.getByRole('list', { name: 'Delivery status' })
  await expect(steps).toHaveAttribute('aria-live', 'polite')
  await expect(steps.getByRole('listitem')).toHaveCount(5)
  await expect(steps.locator('[aria-current=step]')).toHaveText(/Picked Up, current step/)
  await api.ask('completeDelivery', { ...about, body: { code: made.deliveryCode ?? '' } })
  await expect(steps.locator('[aria-current=step]')).toHaveText(/Delivered/)
  await page.context().close()
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
