import { expect } from '@playwright/test'
import { accessSuite } from '../../../e2e/accounts/access-suite.ts'
import { expectAccessible } from '../../../e2e/helpers/page/expect-accessible.ts'
import { navigateTo, openPhone } from '../../../e2e/helpers/page/open-phone.ts'
import {
  codeShown,
  fillRequest,
  kofi,
  submitRequest,
  waitingHere,
} from '../../../e2e/helpers/page/page-actions.ts'
import { test } from '../../../e2e/helpers/server/server-fixture.ts'

/* Accessibility of every screen of everybody but the admin. */

const home = { path: '/', heading: /^Welcome back/ }
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
    home,
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
    home,
    { path: '/drive', heading: 'Find Deliveries' },
    { path: '/delivery/:carried', heading: 'Laptop' },
    { path: '/delivery/:open', heading: 'Medication' },
    { path: '/profile', heading: 'Account' },
  ],
  'waiting driver': [
    home,
    { path: '/drive', heading: 'Drive' },
    { path: '/driver-pending', heading: 'Driver Approval Pending' },
  ],
})

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
