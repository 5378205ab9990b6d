import { expect, type Page, type Route, test } from '@playwright/test'

/** An expected toast and the action that causes it. */
export type Cause = {
  cause: string
  kind: 'success' | 'destructive' | 'plain'
  /** All that stands in it: its title, its text and the label of its action. */
  says: [title: string, text?: string, action?: string]
  provoke: () => Promise<unknown>
}

/** Causes the toasts one after another and expects each to be of its kind, with exactly this text. */
export async function expectToasts(page: Page, causes: Cause[]) {
  const toasts = page.locator('[data-toast]')
  for (const { cause, kind, says, provoke } of causes)
    await test.step(`${cause}: ${says[0]}`, async () => {
      await provoke()
      await expect(page.locator(`[data-toast=${kind}]`)).toHaveText([says.join('')])
      // Without waiting for the button: the toast may end meanwhile by itself.
      await toasts
        .getByRole('button', { name: 'Dismiss' })
        .evaluateAll((buttons: HTMLElement[]) => {
          for (const button of buttons) button.click()
        })
    })
}

/** Fulfils the next non-GET request to this URL pattern with this response instead of the server's. */
export async function answerOnce(page: Page, where: string, status: number, body: object) {
  await page.unroute(where)
  let isFulfilled = false
  await page.route(where, (route) => {
    if (isFulfilled || route.request().method() === 'GET') return route.fallback()
    isFulfilled = true
    // Our server names a reason: without one the answer would be a gateway's, and not final.
    return route.fulfill({ status, json: status === 400 ? { reason: 'invalid', ...body } : body })
  })
}

export const failing = (route: Route) => route.fulfill({ status: 500, json: {} })

/** Makes every new IndexedDB row fail until the page is loaded again. */
export const fillDisk = (page: Page): Promise<void> =>
  page.evaluate(() => {
    IDBObjectStore.prototype.add = () => {
      throw new DOMException('Nothing can be written', 'UnknownError')
    }
  })
