import { expect, type Page, type Route, test } from '@playwright/test'

/** A toast, and how a person comes to see it. */
export type Row = {
  cause: string
  title: string
  text?: string | RegExp
  /** Neither good news nor bad. */
  plain?: true
  provoke: () => Promise<unknown>
}

/** Causes one after another, and reads what is said: this alone, and in these words. */
export async function expectToasts(page: Page, rows: Row[]) {
  for (const { cause, title, text, plain, provoke } of rows)
    await test.step(`${cause}: ${title}`, async () => {
      await provoke()
      const said = page.locator('[data-toast]').filter({
        has: page.getByText(title, { exact: true }),
        ...(text === undefined ? {} : { hasText: text }),
      })
      await expect(said).toBeVisible({ timeout: 20_000 })
      await expect(page.locator('[data-toast]')).toHaveCount(1)
      if (plain) await expect(said).toHaveAttribute('data-toast', 'plain')
      if (typeof text === 'string')
        await expect(said.getByText(text, { exact: true })).toBeVisible()
      await said
        .getByRole('button', { name: 'Dismiss' })
        .click({ timeout: 2_000 })
        .catch(() => {})
    })
}

/** The next change asked for there is answered in the server's place. */
export async function answerOnce(page: Page, where: string, status: number, body: object) {
  await page.unroute(where)
  let said = false
  await page.route(where, (route) => {
    if (said || route.request().method() === 'GET') return route.fallback()
    said = true
    return route.fulfill({ status, json: body })
  })
}

export const failing = (route: Route) => route.fulfill({ status: 500, json: {} })

/** From now on this phone's disk takes nothing new, until the page is loaded again. */
export const fillDisk = (page: Page): Promise<void> =>
  page.evaluate(() => {
    IDBObjectStore.prototype.add = () => {
      throw new DOMException('Nothing can be written', 'UnknownError')
    }
  })
