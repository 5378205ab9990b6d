import { expect, type Page, type Route, test } from '@playwright/test'
import { cacheVersion } from '#domain/product.ts'
import { serverFixture } from '../helpers/server/server-fixture.ts'

/* The frame that index.html draws before any script or stylesheet has come; of Home, to whoever is no new guest. */

const fixture = serverFixture()
test.use({ serviceWorkers: 'block' })
test.beforeEach(({ page }) =>
  page.addInitScript((version) => {
    localStorage.setItem('live', 'true')
    // What an older version left is cleared, and the page reloaded (R84): this one left it.
    localStorage.setItem('cacheVersion', version)
  }, cacheVersion),
)

const sizes = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
]
const paths = ['/', '/send', '/drive', '/auth', '/delivery/x', '/profile', '/outbox', '/admin']

/** Holds back the files of this kind until it is called. */
async function hold(page: Page, kind: 'css' | 'js'): Promise<() => void> {
  const waiting: Route[] = []
  let isOpen = false
  await page.route(`**/assets/*.${kind}`, (route) =>
    isOpen ? route.continue() : void waiting.push(route),
  )
  return () => {
    isOpen = true
    for (const route of waiting.splice(0)) void route.continue()
  }
}

/** Place, size and colours of everything in the frame. */
const drawn = (page: Page) =>
  page.locator('.boot, .boot *').evaluateAll((elements) =>
    elements.map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      const { color, backgroundColor, backgroundImage, borderRadius, fontFamily, fontSize } =
        getComputedStyle(element)
      const look = { color, backgroundColor, backgroundImage, borderRadius, fontFamily, fontSize }
      const name = `${element.tagName} ${element.getAttribute('class')}`
      return { name, box: [x, y, width, height].map(Math.round), look }
    }),
  )

for (const colorScheme of ['light', 'dark'] as const)
  for (const size of sizes)
    test(`The first frame looks the same before the stylesheet, with it and as drawn by React: ${colorScheme}, ${size.width} wide`, async ({
      page,
    }) => {
      await page.setViewportSize(size)
      await page.emulateMedia({ colorScheme })
      // The database never answers: React stays at its first frame.
      await page.addInitScript(() => {
        IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest
      })
      for (const path of paths)
        await test.step(path, async () => {
          await page.unrouteAll()
          const [showStyles, runScripts] = [await hold(page, 'css'), await hold(page, 'js')]
          await page.goto(fixture().origin + path, { waitUntil: 'commit' })
          await expect(page.locator('.boot-main')).toBeVisible()
          const bare = await drawn(page)
          expect(bare.length).toBeGreaterThan(5)
          expect(await scrollsSideways(page)).toBe(false)

          showStyles()
          await expect.poll(() => colours(page)).toHaveLength(2)
          expect(await drawn(page)).toEqual(bare)
          // The frame names the colours of the stylesheet, which it does not have yet.
          const [page_, token] = await colours(page)
          expect(page_).toBe(token)

          await page.locator('.boot').evaluate((frame) => frame.setAttribute('data-first', ''))
          runScripts()
          await expect(page.locator('[data-first]')).toHaveCount(0)
          await expect(page.locator('.boot-main')).toBeVisible()
          await expect.poll(() => drawn(page)).toEqual(bare)
        })
    })

test('The header, the tab bar and the head of the content stand where the first frame had them', async ({
  page,
}) => {
  for (const size of sizes) {
    await page.setViewportSize(size)
    for (const path of ['/', '/send', '/auth', '/outbox']) {
      await page.unrouteAll()
      const runScripts = await hold(page, 'js')
      await page.goto(fixture().origin + path, { waitUntil: 'commit' })
      await expect(page.locator('.boot-main')).toBeVisible()
      const before = await boxes(page, ['.boot-top', '.boot-tabs', '.boot-blocks'])
      runScripts()
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      const after = await boxes(page, ['header', 'nav[aria-label=Tabs]', '#main > *'])
      expect(after, `${path} at ${size.width}`).toEqual(before)
    }
  }
})

/** Left, top and right of each element; of bars also the bottom. */
const boxes = (page: Page, selectors: string[]) =>
  page.evaluate(
    (all) =>
      all.map((selector) => {
        const element = document.querySelector(selector)
        const { left, top, right, bottom } = element?.getBoundingClientRect() ?? new DOMRect()
        const isBar = getComputedStyle(element ?? document.body).display !== 'grid'
        return [left, top, right, isBar ? bottom : 0].map(Math.round)
      }),
    selectors,
  )

const scrollsSideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > innerWidth)

/** The page's colour, and the one that the stylesheet names once it has come. */
const colours = (page: Page) =>
  page.evaluate(() => {
    const style = getComputedStyle(document.documentElement)
    const probe = document.body.appendChild(document.createElement('b'))
    probe.style.color = 'var(--paper, transparent)'
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color === 'rgba(0, 0, 0, 0)' ? [] : [style.backgroundColor, color]
  })
