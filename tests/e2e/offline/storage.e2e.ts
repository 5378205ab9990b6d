import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { axeViolations } from '../helpers/page/axe.ts'
import { navigateTo } from '../helpers/page/open-phone.ts'
import {
  chooseTile,
  fillRequest,
  kofi,
  offline,
  pill,
  submitRequest,
} from '../helpers/page/page-actions.ts'
import { screenshot } from '../helpers/page/screenshot.ts'
import { inTheme } from '../helpers/page/theme.ts'
import { installed } from '../helpers/page/worker.ts'
import { serverFixture } from '../helpers/server/server-fixture.ts'

/* A browser without storage, and a phone without room: the person reads what is wrong and what helps. */

const fixture = serverFixture()

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
  },
  {
    title: 'a database that cannot be read',
    break: (context) => context.addInitScript(failsLater, 'UnknownError'),
    says: 'What you saved could not be opened',
  },
]

for (const { title, break: breakStorage, says } of cases)
  test(`S26: with ${title} the page says what is wrong, what helps, and offers to try again`, async ({
    context,
  }) => {
    await breakStorage(context)
    const page = await context.newPage()
    await page.goto(fixture().origin)
    await expect(page.getByRole('heading', { level: 1 })).toContainText(says)
    await expect(page.getByRole('heading', { name: 'What helps' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Try again' })).toBeEnabled()
    await screenshot(page, `storage-${title.replaceAll(' ', '-')}`)
    expect(await axeViolations(page)).toEqual([])
  })

for (const theme of ['light', 'dark'] as const)
  test(`S26: a database that opens when it is tried again opens the app (${theme})`, async ({
    page,
  }) => {
    await inTheme(page, theme)
    await page.addInitScript(() => {
      if (sessionStorage.getItem('tried')) return
      sessionStorage.setItem('tried', 'yes')
      IDBFactory.prototype.open = () => {
        throw new DOMException('Storage is disabled.', 'SecurityError')
      }
    })
    await page.goto(fixture().origin)
    await expect(page.getByRole('heading', { name: 'What helps' })).toBeVisible()
    expect(await axeViolations(page, { colorScheme: theme })).toEqual([])
    await screenshot(page, `storage-forbidden-${theme}`)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { name: 'Welcome to Soma' })).toBeVisible()
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

test('S26: on a full phone a photo, a draft and a request say that it is full and what to do', async ({
  page,
}) => {
  await page.goto(`${fixture().origin}/send`)
  await installed(page)
  await offline(page)
  await fillRequest(page, { item: 'Kept before', seed: 61 }, kofi)
  await submitRequest(page)
  await expect(pill(page)).toHaveText('Offline · 1 waiting')
  await navigateTo(page, '/send')
  await chooseTile(page, 'Other')

  const lift = await fillDisk(page)
  await expectFull(page, () => page.getByLabel('Describe the item').fill('A draft without room'))
  await expectFull(page, async () => {
    const photo = Buffer.from(await noisyPhoto(page), 'base64')
    await page
      .getByLabel('Item photo: Choose photo')
      .setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: photo })
  })
  await expect(page.getByText('Upload Failed')).toHaveCount(0)
  await screenshot(page, 'full-phone')
  await expect(pill(page)).toContainText('1 waiting')
  await lift()
})

/** Dismisses what is shown, acts, and expects the toast of a full phone. */
async function expectFull(page: Page, act: () => Promise<unknown>) {
  const full = page.locator('[data-toast]').filter({ hasText: 'This phone is full' })
  await act()
  await expect(full).toContainText('Delete photos or apps you do not need')
  await expect(full).toContainText('Everything not sent yet is safe')
  await full.getByRole('button', { name: 'Dismiss' }).click()
  await expect(full).toHaveCount(0)
}

/** Gives the app less room than it takes already; returns how to end that. */
async function fillDisk(page: Page): Promise<() => Promise<unknown>> {
  const session = await page.context().newCDPSession(page)
  const { origin } = fixture()
  await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 })
  // The browser looks at the quota anew only after a while.
  await expect.poll(() => page.evaluate(writeByte), { timeout: 30_000 }).toBe('QuotaExceededError')
  return () => session.send('Storage.overrideQuotaForOrigin', { origin })
}

/** Writes one row to a database of its own; resolves to the name of the error, if there was one. */
const writeByte = () =>
  new Promise<string>((resolve) => {
    const opening = indexedDB.open('scratch')
    opening.onupgradeneeded = () =>
      opening.result.createObjectStore('rows', { autoIncrement: true })
    opening.onerror = () => resolve(opening.error?.name ?? '')
    opening.onsuccess = () => {
      const write = opening.result.transaction('rows', 'readwrite')
      write.objectStore('rows').add(1)
      write.onabort = () => resolve(write.error?.name ?? '')
      write.oncomplete = () => resolve('written')
      opening.result.close()
    }
  })

/** A photo that no encoder makes small, as base64. */
const noisyPhoto = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const canvas = document.createElement('canvas')
    canvas.width = 800
    canvas.height = 800
    const context = canvas.getContext('2d')
    const image = new ImageData(800, 800)
    for (let at = 0; at < image.data.length; at++) image.data[at] = Math.random() * 256
    context?.putImageData(image, 0, 0)
    return canvas.toDataURL('image/png').split(',')[1] ?? ''
  })
