import { type BrowserContext, expect } from '@playwright/test'
import { appOpened } from '../../../e2e/helpers/page/app-opened.ts'
import { axeViolations } from '../../../e2e/helpers/page/axe.ts'
import { describeItem, draftKept } from '../../../e2e/helpers/page/page-actions.ts'
import { screenshot } from '../../../e2e/helpers/page/screenshot.ts'
import { inTheme } from '../../../e2e/helpers/page/theme.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'

/* A database that cannot be opened, that another tab holds, and one that the browser loses. */

const fixture = serverFixture()
test.use({ serviceWorkers: 'block' })

const noLocalStorage = () =>
  Object.defineProperty(globalThis, 'localStorage', {
    get: () => {
      throw new DOMException('Access is denied for this document.', 'SecurityError')
    },
  })
const throwsAtOnce = () => {
  IDBFactory.prototype.open = () => {
    throw new DOMException('Storage is disabled.', 'SecurityError')
  }
}

/** The request to open fails with an error of this name, as Firefox does in a private window. */
const failsLater = (name: string) => {
  IDBFactory.prototype.open = () => {
    const request = new EventTarget() as IDBOpenDBRequest
    Object.defineProperty(request, 'error', { value: new DOMException('No.', name) })
    for (const type of ['error', 'success', 'blocked', 'upgradeneeded'])
      request.addEventListener(type, (event) => {
        const handler = (request as unknown as Record<string, unknown>)[`on${type}`]
        if (typeof handler === 'function') handler(event)
      })
    setTimeout(() => request.dispatchEvent(new Event('error', { cancelable: true })))
    return request
  }
}

/** Runs in the page: a newer release was here. */
const newerDatabase = () =>
  new Promise<void>((resolve, reject) => {
    const request = indexedDB.open('soma', 1_000)
    request.onupgradeneeded = () => request.result.createObjectStore('ofTomorrow')
    request.onerror = () => reject(request.error)
    request.onsuccess = () => {
      request.result.close()
      resolve()
    }
  })

const forbidden = 'can’t save anything here'
const cases: {
  title: string
  break: (context: BrowserContext) => Promise<unknown>
  says: string
  /** What is offered; else to try again. */
  offers?: string
}[] = [
  {
    title: 'storage blocked by a setting',
    break: async (context) => {
      await context.addInitScript(throwsAtOnce)
      await context.addInitScript(noLocalStorage)
    },
    says: forbidden,
  },
  {
    title: 'a private window that refuses a database',
    break: (context) => context.addInitScript(failsLater, 'InvalidStateError'),
    says: forbidden,
  },
  {
    title: 'a disk without room for a database',
    break: (context) => context.addInitScript(failsLater, 'QuotaExceededError'),
    says: 'This phone is full',
  },
  {
    title: 'a database of a newer version',
    break: async (context) => {
      const page = await context.newPage()
      await page.goto(`${fixture().origin}/robots.txt`)
      await page.evaluate(newerDatabase)
      await page.close()
    },
    says: 'Update to continue',
    offers: 'Update',
  },
  {
    title: 'a database that cannot be read',
    break: (context) => context.addInitScript(failsLater, 'UnknownError'),
    says: 'What you saved could not be opened',
  },
]

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

for (const { title, break: breakStorage, says, offers = 'Try again' } of cases)
  test(`S26: with ${title} the page says what is wrong, what helps, and offers “${offers}”`, async ({
    context,
  }) => {
    await breakStorage(context)
    const page = await context.newPage()
    await page.goto(fixture().origin)
    await expect(page.getByRole('heading', { level: 1 })).toContainText(says)
    await expect(page.getByRole('heading', { name: 'What helps' })).toBeVisible()
    await expect(page.getByRole('button', { name: offers })).toBeEnabled()
    await screenshot(page, `storage-${title.replaceAll(' ', '-')}`)
  })

test('S83: a page whose database a newer version takes over says so at once, and updates with one tap', async ({
  context,
}) => {
  const page = await context.newPage()
  await page.goto(`${fixture().origin}/send`)
  await expect(page.getByRole('heading', { name: 'Send a Package' })).toBeVisible()
  const newer = await context.newPage()
  await newer.goto(`${fixture().origin}/robots.txt`)
  await newer.evaluate(newerDatabase)
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText('Update to continue')
  await screenshot(page, 'storage-replaced')
  // As if the next load brought the newer version.
  await newer.evaluate(() => indexedDB.deleteDatabase('soma'))
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByRole('heading', { name: 'Send a Package' })).toBeVisible()
})

test('S26: while another tab keeps an older version open, the page says so, and opens once it is closed', async ({
  context,
}) => {
  const older = await context.newPage()
  await context.route('**/older', (route) => route.fulfill({ contentType: 'text/html', body: '' }))
  await older.goto(`${fixture().origin}/older`)
  await older.evaluate(
    () =>
      new Promise((resolve) => {
        // It does not listen for `versionchange`, so it blocks every upgrade.
        const opening = indexedDB.open('soma', 1)
        opening.onsuccess = () => resolve(Object.assign(globalThis, { held: opening.result }) && 1)
      }),
  )
  const page = await context.newPage()
  await page.goto(fixture().origin)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Another tab')
  await older.close()
  await expect(page.getByRole('heading', { name: 'Welcome to Soma' })).toBeVisible()
})
