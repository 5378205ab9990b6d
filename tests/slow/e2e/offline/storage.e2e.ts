import { expect } from '@playwright/test'
import { appOpened } from '../../../e2e/helpers/page/app-opened.ts'
import { axeViolations } from '../../../e2e/helpers/page/axe.ts'
import { describeItem, draftKept } from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { inTheme } from '../../../e2e/helpers/page/theme.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

/* A database that another tab holds, and one that the browser loses. */

const fixture = serverFixture()
test.use({ serviceWorkers: 'block' })

test('S26: while a transaction of another tab holds the tables, the page says so, and opens once it is over', async ({
  context,
}) => {
  const first = await context.newPage()
  await first.goto(fixture().origin)
  await appOpened(first)
  await first.goto(`${fixture().origin}/robots.txt`)
  await first.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open('soma')
        opening.onsuccess = () => {
          const { objectStoreNames } = opening.result
          const held = opening.result.transaction([...objectStoreNames], 'readwrite')
          const goOn = () => {
            held.objectStore('meta').count().onsuccess = goOn
            resolve()
          }
          goOn()
        }
      }),
  )
  const page = await context.newPage()
  await page.clock.install()
  await page.goto(`${fixture().origin}/outbox`)
  const title = page.getByRole('heading', { level: 1 })
  await expect
    .poll(async () => {
      await page.clock.runFor(2_000)
      return title.allTextContents()
    })
    .toEqual(['Another tab keeps Soma from opening'])
  await first.close()
  await expect(title).toHaveText('Outbox')
})

/** Runs in the page before the app: `lost` says whether the browser has lost its databases. */
const losableDatabase = () => {
  const state = Object.assign(globalThis, { lost: false, connections: [] as IDBDatabase[] })
  const open = IDBFactory.prototype.open
  IDBFactory.prototype.open = function (...asked) {
    if (state.lost)
      throw new DOMException('Connection to Indexed Database server lost.', 'UnknownError')
    const request = open.apply(this, asked)
    request.addEventListener('success', () => state.connections.push(request.result))
    return request
  }
}

/** Runs in the page: as when an iPhone ends the process that holds the databases. */
const loseDatabase = (lost: boolean) => {
  const state = globalThis as unknown as { lost: boolean; connections: IDBDatabase[] }
  state.lost = lost
  if (!lost) return
  for (const connection of state.connections.splice(0)) {
    connection.close()
    connection.dispatchEvent(new Event('close'))
  }
}

test('S84: a lost database opens again by itself; after 15 seconds a bar offers to reload, and what was typed stays', async ({
  page,
}) => {
  await page.addInitScript(losableDatabase)
  await page.clock.install()
  await page.goto(`${fixture().origin}/send`)
  const item = page.getByLabel('Describe the item')
  const bar = page.getByRole('alert').filter({ hasText: 'Storage was interrupted.' })
  await describeItem(page, 'A suitcase')
  await expect.poll(() => draftKept(page)).toMatchObject({ itemDescription: 'A suitcase' })

  // Six seconds, as measured on iPhones.
  await page.evaluate(loseDatabase, true)
  await item.fill('A blue suitcase')
  await page.clock.runFor(6_000)
  await page.evaluate(loseDatabase, false)
  await page.clock.runFor(2_000)
  await expect.poll(() => draftKept(page)).toMatchObject({ itemDescription: 'A blue suitcase' })
  await page.clock.runFor(15_000)
  await expect(bar).toBeHidden()

  // Longer than it usually takes.
  await page.evaluate(loseDatabase, true)
  await item.fill('Two blue suitcases')
  await page.clock.runFor(16_000)
  await expect(bar).toBeVisible()
  await expect(item).toHaveValue('Two blue suitcases')
  for (const theme of ['light', 'dark'] as const) {
    await inTheme(page, theme)
    expect(await axeViolations(page, { colorScheme: theme })).toEqual([])
    await screenshot(page, `storage-interrupted-${theme}`)
  }
  await bar.getByRole('button', { name: 'Reload' }).click()
  await expect(item).toHaveValue('Two blue suitcases')
})
