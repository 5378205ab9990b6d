import { join } from 'node:path'
import { type BrowserContext, expect, type Page } from '@playwright/test'
import { axeViolations } from '../../../e2e/helpers/page/axe.ts'
import { navigateTo } from '../../../e2e/helpers/page/open-phone.ts'
import { pill } from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { bundle } from '../../../helpers/bundle.ts'
import type { OutboxTab } from './long-outbox.page.ts'

/* The outbox with hundreds of entries, on a phone four times slower than this machine. */

const fixture = serverFixture()
let script: string
test.beforeAll(async () => {
  script = await bundle(join(import.meta.dirname, 'long-outbox.page.ts'))
})

/** No more cards than a screenful of the smallest kind, and those kept ready above and below it. */
const screenful = 20

test('S28: with 600 entries it draws a screenful of cards, also while they end', async ({
  context,
}) => {
  const { page, writer } = await openTabs(context)
  await inTab(writer, 'fill', 600)
  await expect(pill(page)).toHaveText('600 waiting')
  await navigateTo(page, '/outbox')
  await expect(cards(page).first()).toContainText('Parcel 1')
  expect(await cards(page).count()).toBeLessThan(screenful)
  await inTab(writer, 'endAll', 15)
  await expect(pill(page)).toBeHidden()
  expect(await cards(page).count()).toBeLessThan(screenful)
  await expect(page.getByRole('region', { name: 'Waiting' })).toHaveCount(0)
})

test('S28: the list keeps its order and its place for a keyboard and a screen reader', async ({
  context,
}) => {
  const { page, writer } = await openTabs(context, { slowness: 1 })
  await inTab(writer, 'fill', 500)
  await navigateTo(page, '/outbox')
  const waiting = page.getByRole('region', { name: 'Waiting' })
  await expect(waiting.getByRole('listitem').first()).toHaveAttribute('aria-setsize', '500')
  await screenshot(page, 'long-outbox')
  expect(await axeViolations(page)).toEqual([])

  // Forty steps of Tab reach the cards one after the other, none twice and none left out.
  await waiting.getByRole('button').first().focus()
  const places = [await focusedPlace(page)]
  for (let step = 0; step < 40; step++) {
    await page.keyboard.press('Tab')
    // The next cards are drawn with the next frame; nobody presses keys faster.
    await page.evaluate(() => new Promise(requestAnimationFrame))
    places.push(await focusedPlace(page))
  }
  expect(places).toEqual([...places].sort((a, b) => a - b))
  expect(new Set(places).size).toBe(Math.max(...places))

  // What has the focus stays, however far the page is scrolled.
  const place = await focusedPlace(page)
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await expect(waiting.getByText('Parcel 500')).toBeInViewport()
  expect(await focusedPlace(page)).toBe(place)
  const order = await waiting
    .getByRole('listitem')
    .evaluateAll((items) => items.map((item) => Number(item.getAttribute('aria-posinset'))))
  expect(order).toEqual([...order].sort((a, b) => a - b))
})

test('S28: Tab stays in the list while its next cards are still read', async ({ context }) => {
  const { page, writer } = await openTabs(context, { slowness: 1 })
  await inTab(writer, 'fill', 500)
  await navigateTo(page, '/outbox')
  const waiting = page.getByRole('region', { name: 'Waiting' })
  await expect(waiting.getByText('Parcel 1', { exact: false }).first()).toBeVisible()
  await waiting.getByRole('button').first().focus()
  await inTab(writer, 'holdDisk', 8_000)
  await page.evaluate(() => scrollBy(0, 400))
  await expect(waiting.locator('[aria-busy=true]').first()).toBeAttached()
  const busy = Number(
    await waiting.locator('[aria-busy=true]').first().getAttribute('aria-posinset'),
  )
  while ((await focusedPlace(page)) < busy) await page.keyboard.press('Tab')
  expect(await focusedPlace(page)).toBe(busy)
  // Its card comes, and has the next focus.
  await expect(waiting.locator('[aria-busy=true]')).toHaveCount(0)
  expect(await focusedPlace(page)).toBe(busy)
  await page.keyboard.press('Tab')
  expect(await focusedPlace(page)).toBe(busy)
})

const cards = (page: Page) => page.getByRole('article')

/** The app in one tab, slowed down, and a tab that writes its database. */
async function openTabs(context: BrowserContext, { slowness = 4 } = {}) {
  await context.route('**/writer', (route) => route.fulfill({ contentType: 'text/html', body: '' }))
  const writer = await context.newPage()
  await writer.goto(`${fixture().origin}/writer`)
  await writer.addScriptTag({ content: script })
  const page = await context.newPage()
  await page.goto(fixture().origin)
  await expect(page.getByRole('heading', { name: 'Welcome to Soma' })).toBeVisible()
  // Loads the screen's code, which is not what is measured.
  await navigateTo(page, '/outbox')
  await expect(page.getByRole('heading', { name: 'Outbox' })).toBeVisible()
  await navigateTo(page, '/')
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowness })
  return { page, writer }
}

type Call<K extends keyof OutboxTab> = Parameters<OutboxTab[K]>
const inTab = <K extends keyof OutboxTab>(tab: Page, name: K, ...given: Call<K>) =>
  tab.evaluate(
    ([called, args]) => {
      const { outboxTab } = globalThis as unknown as {
        outboxTab: Record<string, (...args: unknown[]) => Promise<unknown>>
      }
      return outboxTab[called]?.(...args)
    },
    [name, given] as const,
  )

/** The place in the list of the card that has the focus. */
const focusedPlace = (page: Page): Promise<number> =>
  page.evaluate(() =>
    Number(document.activeElement?.closest('li')?.getAttribute('aria-posinset') ?? Number.NaN),
  )
