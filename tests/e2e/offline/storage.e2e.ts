import { expect } from '@playwright/test'
import { axeViolations } from '../helpers/page/axe.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { inTheme } from '../helpers/page/theme.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'

/* A browser without storage: the person reads what is wrong and what helps. */

const fixture = serverFixture()
test.use({ serviceWorkers: 'block' })

test('S26: without IndexedDB the page says what is wrong, what helps, and offers “Try again”', async ({
  page,
}) => {
  await page.addInitScript(() =>
    Object.defineProperty(globalThis, 'indexedDB', { get: () => undefined, configurable: true }),
  )
  await page.goto(fixture().origin)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('can’t save anything here')
  await expect(page.getByRole('heading', { name: 'What helps' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try again' })).toBeEnabled()
})

test('S26: a database that opens when it is tried again opens the app', async ({ page }) => {
  await page.addInitScript(() => {
    if (sessionStorage.getItem('tried')) return
    sessionStorage.setItem('tried', 'yes')
    IDBFactory.prototype.open = () => {
      throw new DOMException('Storage is disabled.', 'SecurityError')
    }
  })
  await page.goto(fixture().origin)
  await expect(page.getByRole('heading', { name: 'What helps' })).toBeVisible()
  for (const theme of ['light', 'dark'] as const) {
    await inTheme(page, theme)
    expect(await axeViolations(page, { colorScheme: theme })).toEqual([])
    await screenshot(page, `storage-forbidden-${theme}`)
  }
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome to Soma' })).toBeVisible()
})
