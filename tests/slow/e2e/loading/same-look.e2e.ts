import { expect, type Page } from '@playwright/test'
import { cacheVersion } from '#domain/product.ts'
import { axeViolations } from '../../../e2e/helpers/page/axe.ts'
import { serverFixture, test } from '../../../e2e/helpers/server/server-fixture.ts'
import { hold } from '../../../e2e/loading/hold.ts'

/* What is drawn before the app has come looks as the app draws it, in each of these themes and sizes. */

type Look = { colorScheme: 'light' | 'dark'; width: number }
const looks: Look[] = [
  { colorScheme: 'light', width: 360 },
  { colorScheme: 'dark', width: 1280 },
]

const fixture = serverFixture()
test.use({ serviceWorkers: 'block' })

const heights: Record<number, number> = { 360: 740, 1280: 800 }

async function show(page: Page, { colorScheme, width }: Look) {
  await page.setViewportSize({ width, height: heights[width] ?? 800 })
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
}

// A guest's Home, which stands in index.html.
for (const look of looks)
  test(`Home looks the same before the app and as the app draws it: ${look.colorScheme}, ${look.width} wide`, async ({
    page,
  }) => {
    await show(page, look)
    const release = await hold(page, '**/assets/*')
    await page.goto(fixture().origin, { waitUntil: 'commit' })
    await expect(page.locator('#first').getByRole('heading', { level: 1 })).toBeVisible()
    const before = await drawn(page, '#first')
    expect(before.length).toBeGreaterThan(40)
    expect(await axeViolations(page)).toEqual([])
    release()
    await expect(page.locator('#first')).toHaveCount(0)
    expect(await drawn(page, '#root')).toEqual(before)
    await expect(page.locator('#main')).toHaveCount(1)
  })

// The skeleton that index.html draws in the place of every screen for everybody else.
for (const look of looks)
  test(`The skeleton looks the same before the stylesheet and with it, and the bars stand where it had them: ${look.colorScheme}, ${look.width} wide`, async ({
    page,
  }) => {
    await show(page, look)
    await page.addInitScript(asKnownVisitor, cacheVersion)
    for (const path of ['/', '/send', '/auth', '/outbox']) {
      await page.unrouteAll()
      const [showStyles, runScripts] = [
        await hold(page, '**/assets/*.css'),
        await hold(page, '**/assets/*.js'),
      ]
      await page.goto(fixture().origin + path, { waitUntil: 'commit' })
      await expect(page.locator('#skeleton')).toBeVisible()
      const bare = await drawn(page, '#skeleton')
      expect(bare.length).toBeGreaterThan(5)
      expect(await scrollsSideways(page)).toBe(false)
      showStyles()
      await expect.poll(() => colours(page)).toHaveLength(2)
      expect(await drawn(page, '#skeleton')).toEqual(bare)
      // The page names the colours of the stylesheet, which it does not have yet.
      const [page_, token] = await colours(page)
      expect(page_).toBe(token)
      const before = await boxes(page, '#skeleton > * > *')
      runScripts()
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      const after = await boxes(page, 'header:not(#main *), #main, nav[aria-label=Tabs]')
      expect(after, path).toEqual(before)
    }
  })

/** In the page: Home is drawn as to whoever is no new guest. */
function asKnownVisitor(version: string) {
  localStorage.setItem('live', 'true')
  // What an older version left is cleared, and the page reloaded (R84): this one left it.
  localStorage.setItem('cacheVersion', version)
}

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

/** Left, top and right of each element. */
const boxes = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((all) =>
    all.map((element) => {
      const { left, top, right } = element.getBoundingClientRect()
      return [left, top, right].map(Math.round)
    }),
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
