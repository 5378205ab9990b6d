import type { Page } from '@playwright/test'
import { appOpened } from './app-opened.ts'

/** Waits until the app is open, and the service worker has precached it and controls this page. */
export async function installed(page: Page) {
  await appOpened(page)
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (navigator.serviceWorker.controller) return
    await new Promise((resolve) =>
      navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
    )
  })
}
