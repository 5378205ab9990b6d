import type { Page, Route } from '@playwright/test'

/** Holds back the requests for these files until it is called. */
export async function hold(page: Page, files: string): Promise<() => void> {
  const waiting: Route[] = []
  let isOpen = false
  await page.route(files, (route) => (isOpen ? route.continue() : void waiting.push(route)))
  return () => {
    isOpen = true
    for (const route of waiting.splice(0)) void route.continue()
  }
}
