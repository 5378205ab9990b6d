import { expect, type Page, type Route, test } from '@playwright/test'

/** An expected toast and the action that causes it. */
export type Row = {
  cause: string
  title: string
  text?: string | RegExp
  /** Neither success nor error. */
  plain?: true
  provoke: () => Promise<unknown>
}

/** Causes the toasts one after another and expects each to be the only one on the screen (R81), with exactly this text. */
export async function expectToasts(page: Page, rows: Row[]) {
  for (const { cause, title, text, plain, provoke } of rows)
    await test.step(`${cause}: ${title}`, async () => {
      await provoke()
      const shown = page.locator('[data-toast]').filter({
        has: page.getByText(title, { exact: true }),
        ...(text === undefined ? {} : { hasText: text }),
      })
      await expect(shown).toBeVisible({ timeout: 20_000 })
      await expect(page.locator('[data-toast]')).toHaveCount(1)
      if (plain) await expect(shown).toHaveAttribute('data-toast', 'plain')
      if (typeof text === 'string')
        await expect(shown.getByText(text, { exact: true })).toBeVisible()
      await shown
        .getByRole('button', { name: 'Dismiss' })
        .click({ timeout: 2_000 })
        .catch(() => {})
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
