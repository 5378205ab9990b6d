import type { Locator, Page } from '@playwright/test'

/* What can be measured of a screen: each answers the faults, in words. */

/** Things to press that are lower or narrower than 48 px; links inside a sentence are left out. */
export const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const all = document.querySelectorAll<HTMLElement>(
      'button, a[href], select, textarea, summary, input:not([type=file], [type=radio]), label:has(input[type=radio])',
    )
    return [...all].flatMap((each) => {
      const { width, height } = each.getBoundingClientRect()
      // Hidden until focused, or not drawn at all.
      if (width <= 1 || height <= 1) return []
      if (each.parentElement?.matches('p')) return []
      return width < 47.5 || height < 47.5
        ? [`${each.tagName} "${each.textContent || each.ariaLabel}" ${width} x ${height}`]
        : []
    })
  })

/** All text twice as big, as a person may set it; resolves once it is drawn so. */
export async function largeText(page: Page): Promise<void> {
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
  // With motion reduced every change is a transition of an instant, this one too.
  await page.waitForFunction(() => getComputedStyle(document.documentElement).fontSize === '32px')
}

export const usualText = (page: Page): Promise<void> =>
  page.evaluate(() => {
    document.documentElement.style.removeProperty('font-size')
  })

/** What sticks out of the page, or of a box that does not show it. */
export const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const root = document.documentElement
    // Not the window's own width: a phone zooms out of a page that is too wide, and that grows with it.
    const screenful = screen.width
    const wide = root.scrollWidth > screenful + 1 ? [`the page is ${root.scrollWidth} px wide`] : []
    const all = document.querySelectorAll<HTMLElement>('#root *, dialog *')
    const out = [...all].flatMap((each) => {
      // Of a row to swipe along the rest is a swipe away.
      if (each.closest('.sr-only, svg, pre, [aria-hidden=true], .overflow-x-auto *')) return []
      const { left, right, width } = each.getBoundingClientRect()
      if (width <= 1) return []
      const outside = right > screenful + 1 || left < -1
      const inside =
        each.scrollWidth > each.clientWidth + 1 && each.matches('a, button, strong, h1, h2')
      const drawn = getComputedStyle(each).display !== 'inline'
      return outside || (inside && drawn)
        ? [`${each.tagName}.${each.className} "${each.textContent?.slice(0, 40)}" to ${right}`]
        : []
    })
    return [...wide, ...out.slice(-4)]
  })

/** How many lines an element's text takes. */
export const linesOf = (of: Locator): Promise<number> =>
  of.evaluate((element) => {
    const tops = new Set<number>()
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const range = document.createRange()
      range.selectNodeContents(text)
      for (const { top } of range.getClientRects()) tops.add(Math.round(top))
    }
    return tops.size
  })

/** Whether one element covers any of another, as both are drawn now. */
export async function covers(over: Locator, under: Locator): Promise<boolean> {
  const [a, b] = [await over.boundingBox(), await under.boundingBox()]
  if (!a || !b) throw new Error('Both must be drawn to cover one another.')
  const apart =
    a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y
  return !apart
}

/** The contrast (WCAG) between an element's text and the nearest painted ground behind it. */
export const contrastOf = (of: Locator): Promise<number> =>
  of.evaluate((element) => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
    const luminance = (colour: string) => {
      if (!canvas) return 0
      canvas.fillStyle = colour
      canvas.fillRect(0, 0, 1, 1)
      const [r = 0, g = 0, b = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((byte) => {
        const part = byte / 255
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    let ground: Element | null = element
    const painted = (each: Element) => getComputedStyle(each).backgroundColor
    while (ground && /transparent|rgba\(0, 0, 0, 0\)/.test(painted(ground)))
      ground = ground.parentElement
    const text = luminance(getComputedStyle(element).color)
    const behind = luminance(ground ? painted(ground) : '#fff')
    return (Math.max(text, behind) + 0.05) / (Math.min(text, behind) + 0.05)
  })
