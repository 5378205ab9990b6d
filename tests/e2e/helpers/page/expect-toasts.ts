import { expect, type Page, type Route } from '@playwright/test'

type Kind = 'success' | 'destructive' | 'plain'

/** Expects a toast of this kind that says exactly this: title, text and label of its action. Then it is dismissed. */
export async function expectToast(page: Page, kind: Kind, says: readonly string[]) {
  await expect(page.locator(`[data-toast=${kind}]`)).toHaveText([says.join('')])
  // Without waiting for the button: the toast may end meanwhile by itself.
  await page
    .locator('[data-toast]')
    .getByRole('button', { name: 'Dismiss' })
    .evaluateAll((buttons: HTMLElement[]) => {
      for (const button of buttons) button.click()
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

/** A failure of our own server, which its mark says. */
export const failing = (route: Route) =>
  route.fulfill({ status: 500, headers: { 'x-server-version': '1' }, json: {} })

/** Makes every new IndexedDB row fail until the page is loaded again. */
export const fillDisk = (page: Page): Promise<void> =>
  page.evaluate(() => {
    IDBObjectStore.prototype.add = () => {
      throw new DOMException('Nothing can be written', 'UnknownError')
    }
  })

/** Acts, expects the toast of a full phone, and dismisses it. */
export async function expectFull(page: Page, act: () => Promise<unknown>) {
  const full = page.locator('[data-toast]').filter({ hasText: 'This phone is full' })
  await act()
  await expect(full).toContainText('Delete photos or apps you do not need')
  await expect(full).toContainText('Everything not sent yet is safe')
  await full.getByRole('button', { name: 'Dismiss' }).click()
  await expect(full).toHaveCount(0)
}
