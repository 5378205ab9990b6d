import type { Page } from '@playwright/test'

/**
 * Waits until the app has drawn its first screen. Call it after `goto` or `reload`, before anything that only the app
 * can answer: the page's `load` may come before the app's scripts have run, and a guest's Home is drawn without them.
 */
export const appOpened = (page: Page): Promise<void> =>
  page.locator('#first').waitFor({ state: 'detached' })
