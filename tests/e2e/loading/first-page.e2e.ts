import { type Browser, expect, type Page, type Route, test } from '@playwright/test'
import { axeViolations } from '../helpers/page/axe.ts'
import { serverFixture } from '../helpers/server/server-fixture.ts'

/* A guest's Home stands in index.html (src/first-page.tsx): it is seen and its links work before any script. */

const fixture = serverFixture()
test.use({ serviceWorkers: 'block' })

const sizes = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
]

/** Holds back these files until it is called. */
async function hold(page: Page, files: string): Promise<() => void> {
  const waiting: Route[] = []
  let isOpen = false
  await page.route(files, (route) => (isOpen ? route.continue() : void waiting.push(route)))
  return () => {
    isOpen = true
    for (const route of waiting.splice(0)) void route.continue()
  }
}

const scripts = '**/assets/*.js'
const everything = '**/assets/*'
const first = (page: Page) => page.locator('#first')

async function withoutScripts(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 360, height: 740 },
  })
  return context.newPage()
}

test('Without any script, Home is there and leads on', async ({ browser }) => {
  const page = await withoutScripts(browser)
  await page.goto(fixture().origin)
  await expect(page.getByRole('heading', { name: 'Welcome to Soma' })).toBeVisible()
  await page.getByRole('link', { name: 'Become a Driver' }).click()
  await expect(page).toHaveURL(/\/auth\?tab=signup&role=driver$/)
  await page.goto(fixture().origin)
  await page.getByRole('link', { name: 'Send a Package' }).click()
  await expect(page).toHaveURL(/\/send$/)
  await page.context().close()
})

for (const colorScheme of ['light', 'dark'] as const)
  for (const viewport of sizes)
    test(`Home looks the same before the app and as the app draws it: ${colorScheme}, ${viewport.width} wide`, async ({
      page,
    }) => {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const release = await hold(page, everything)
      await page.goto(fixture().origin, { waitUntil: 'commit' })
      await expect(first(page).getByRole('heading', { level: 1 })).toBeVisible()
      const before = await drawn(page, '#first')
      expect(before.length).toBeGreaterThan(40)
      expect(await axeViolations(page)).toEqual([])
      release()
      await expect(first(page)).toHaveCount(0)
      expect(await drawn(page, '#root')).toEqual(before)
      await expect(page.locator('#main')).toHaveCount(1)
    })

/** Name, text, place and look of everything that is drawn below an element. */
const drawn = (page: Page, below: string) =>
  page
    .locator(`${below} *:not([role=status], [role=alert], [data-main-action])`)
    .evaluateAll(async (all) => {
      // The introduction rises into its place.
      await Promise.allSettled(document.getAnimations().map(({ finished }) => finished))
      return all
        .map((element) => {
          const { x, y, width, height } = element.getBoundingClientRect()
          const { color, backgroundColor, borderRadius, font, letterSpacing } =
            getComputedStyle(element)
          return {
            name: element.tagName,
            href: element.getAttribute('href'),
            text: element.children.length === 0 ? element.textContent : '',
            box: [x, y, width, height].map(Math.round),
            // Not whether it is hidden: half a second later the introduction is not.
            look: { color, backgroundColor, borderRadius, font, letterSpacing },
          }
        })
        .filter(({ box }) => (box[2] ?? 0) > 1 && (box[3] ?? 0) > 0)
    })

test('A button that was pressed before the app was there does what it says once it is', async ({
  page,
}) => {
  const release = await hold(page, scripts)
  await page.goto(fixture().origin, { waitUntil: 'commit' })
  await first(page).getByRole('button', { name: 'How It Works' }).click()
  release()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.reload()
  await expect(first(page)).toHaveCount(0)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('A script that did not come is loaded again once it can be had', async ({ page }) => {
  let isDown = true
  let asked = 0
  await page.route('**/assets/packages-*.js', (route) => {
    asked++
    return isDown ? route.abort() : route.continue()
  })
  await page.goto(`${fixture().origin}/send`)
  await expect(page.locator('.boot-main')).toBeVisible()
  await expect.poll(() => asked, { timeout: 30_000 }).toBeGreaterThan(2)
  isDown = false
  await expect(page.locator('.boot-main')).toHaveCount(0, { timeout: 30_000 })
  await expect(page.locator('#main')).toBeVisible()
})

test('A script that a newer release has removed leads to that release', async ({ page }) => {
  let asked = 0
  await page.route('**/assets/packages-*.js', (route) => {
    asked++
    // The page that is loaded again names another file, which comes.
    return asked > 2 ? route.continue() : route.fulfill({ status: 404, body: 'gone' })
  })
  await page.goto(`${fixture().origin}/send`)
  await expect(page.locator('#main')).toBeVisible({ timeout: 30_000 })
})

test('It is shown to nobody else, and on no other screen', async ({ page }) => {
  for (const [path, item] of [
    ['/send', undefined],
    ['/nowhere', undefined],
    ['/', 'token'],
    ['/', 'live'],
  ] as const) {
    await page.unrouteAll()
    await page.goto(`${fixture().origin}/robots.txt`)
    await page.evaluate((name) => {
      localStorage.clear()
      if (name) localStorage.setItem(name, 'true')
    }, item)
    const release = await hold(page, everything)
    await page.goto(fixture().origin + path, { waitUntil: 'commit' })
    await expect(page.locator('.boot-main')).toBeVisible()
    await expect(first(page)).toBeHidden()
    release()
    await expect(first(page)).toHaveCount(0)
  }
})

test('What every visit needs is asked for side by side, before the app’s own code has come, and once', async ({
  page,
}) => {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) asked.push(pathname)
  })
  const release = await hold(page, everything)
  await page.goto(`${fixture().origin}/send`, { waitUntil: 'commit' })
  const lists = ['/api/config', '/api/items', '/api/zones']
  await expect.poll(() => [...asked].sort()).toEqual(lists)
  release()
  await expect(page.getByText('Item description')).toBeVisible()
  // They are stored, and not asked for again.
  await expect.poll(() => storedZones(page)).toBeGreaterThan(10)
  expect([...asked].sort()).toEqual(lists)
})

test('A screen’s own files are asked for beside the app’s, not after them', async ({ page }) => {
  for (const [path, file] of [
    ['/send', 'send'],
    ['/auth?step=forgot', 'auth'],
    ['/drive', 'drive'],
    ['/delivery/x', 'room'],
  ] as const) {
    await page.unrouteAll()
    const release = await hold(page, '**/assets/packages-*.js')
    const own = page.waitForRequest(new RegExp(`/assets/${file}-.*\\.js$`))
    await page.goto(fixture().origin + path, { waitUntil: 'commit' })
    await own
    release()
  }
})

const storedZones = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open('soma')
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const { result: db } = opening
          if (!db.objectStoreNames.contains('zones')) return resolve(0)
          const count = db.transaction('zones').objectStore('zones').count()
          count.onsuccess = () => {
            db.close()
            resolve(count.result)
          }
        }
      }),
  )
