import type { Locator, Page } from '@playwright/test'

/* Layout measurements of a screen. Those that return strings return one line for each fault. */

/** Controls lower or narrower than 48 px; links inside a sentence are left out. */
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

/** Enlarges the text as a browser setting does; resolves once it is drawn. */
export async function largeText(page: Page, percent = 200): Promise<void> {
  await page.evaluate(
    (size) => document.documentElement.style.setProperty('font-size', `${size}%`),
    percent,
  )
  // With reduced motion every style change is an instant transition, this one too.
  await page.waitForFunction(
    (size) => getComputedStyle(document.documentElement).fontSize === `${(16 * size) / 100}px`,
    percent,
  )
}

export const usualText = (page: Page): Promise<void> =>
  page.evaluate(() => {
    document.documentElement.style.removeProperty('font-size')
  })

/** Elements that overflow the page or their own box, and titles that others have squeezed to a few letters. */
export const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const root = document.documentElement
    // `innerWidth` grows when a phone zooms out of a page that is too wide; the screen's width does not.
    const screenful = screen.width
    const wide = root.scrollWidth > screenful + 1 ? [`the page is ${root.scrollWidth} px wide`] : []
    const all = document.querySelectorAll<HTMLElement>('#root *, dialog *')
    const out = [...all].flatMap((each) => {
      // The rest of a horizontally scrolling row is reachable by a swipe.
      if (
        each.closest('.sr-only, svg, pre, [aria-hidden=true], .overflow-x-auto *, .overflow-auto *')
      )
        return []
      if (!each.checkVisibility()) return []
      const { left, right, width } = each.getBoundingClientRect()
      const isCut = width <= 1 || each.scrollHeight > each.clientHeight + 1
      const isSqueezed = isCut && width < 3 * Number.parseFloat(getComputedStyle(each).fontSize)
      if (isSqueezed && each.textContent && each.matches('strong, h1, h2'))
        return [`${each.tagName} "${each.textContent}" is ${width} px wide`]
      if (width <= 1) return []
      const outside = right > screenful + 1 || left < -1
      const inside =
        each.scrollWidth > each.clientWidth + 1 && each.matches('a, button, strong, h1, h2')
      const isBox = getComputedStyle(each).display !== 'inline'
      return outside || (inside && isBox)
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

/** What can be tapped and lies under a toast, in part or whole. */
export const underToast = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const toast = document.querySelector('[data-toast]')
    if (!toast) throw new Error('There is no toast.')
    const over = toast.getBoundingClientRect()
    const all = document.querySelectorAll<HTMLElement>(
      'a[href], button, input, select, textarea, label, summary',
    )
    return [...all].flatMap((each) => {
      const { top, right, bottom, left, width } = each.getBoundingClientRect()
      const isApart =
        bottom <= over.top || top >= over.bottom || right <= over.left || left >= over.right
      return isApart || width <= 1 || toast.contains(each)
        ? []
        : [`${each.tagName} "${each.textContent || each.ariaLabel}" at ${top}`]
    })
  })

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
