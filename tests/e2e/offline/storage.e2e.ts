import { type BrowserContext, expect } from '@playwright/test'
import { axeViolations } from '../helpers/page/axe.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { inTheme } from '../helpers/page/theme.ts'
import { serverFixture, test } from '../helpers/server/server-fixture.ts'

/* A browser without storage: the person reads what is wrong and what helps. */

const fixture = serverFixture()
test.use({ serviceWorkers: 'block' })

const noDatabase = () =>
  Object.defineProperty(globalThis, 'indexedDB', { get: () => undefined, configurable: true })
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
    title: 'no IndexedDB',
    break: (context) => context.addInitScript(noDatabase),
    says: forbidden,
  },
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
