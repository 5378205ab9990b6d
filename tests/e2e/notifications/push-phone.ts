import type { Browser, Page } from '@playwright/test'
import type { PushService } from '../../helpers/server/push-service.ts'
import { openPhone } from '../helpers/page/open-phone.ts'
import type { Account, ServerApi } from '../helpers/server/server-api.ts'

/** Opens a phone whose browser subscribes at the service on loopback, under this name. */
export const openPushPhone = (
  browser: Browser,
  { api, service, origin }: { api: ServerApi; service: PushService; origin: string },
  name: string,
  person?: Account,
): Promise<Page> =>
  openPhone(browser, api, person, {
    origin,
    serviceWorkers: 'allow',
    permissions: ['notifications'],
    prepare: (page) => page.addInitScript(standIn, service.subscribe(name)),
  })

/** Runs in the page: its push manager gives this subscription, and remembers being subscribed. */
function standIn(subscription: object) {
  const made = {
    ...subscription,
    options: {},
    toJSON: () => subscription,
    unsubscribe: async () => {
      localStorage.removeItem('test-subscribed')
      return true
    },
  }
  // A browser counts on the icon of an installed app alone.
  Object.assign(navigator, {
    setAppBadge: async (count: number) => localStorage.setItem('test-badge', `${count}`),
    clearAppBadge: async () => localStorage.setItem('test-badge', '0'),
  })
  PushManager.prototype.getSubscription = async () =>
    localStorage.getItem('test-subscribed') ? (made as unknown as PushSubscription) : null
  PushManager.prototype.subscribe = async () => {
    localStorage.setItem('test-subscribed', 'yes')
    return made as unknown as PushSubscription
  }
}

/** Resolves when the server has answered a change of this phone's subscription. Called before the change. */
export const answered = (page: Page, method: 'POST' | 'DELETE', status: number) =>
  page.waitForResponse(
    (response) =>
      response.url().endsWith('/api/notifications/subscriptions') &&
      response.request().method() === method &&
      response.status() === status,
  )
