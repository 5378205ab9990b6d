import type { Page } from '@playwright/test'

/*
 * When the page first shows what it is opened for, measured inside it: milliseconds from the start of the
 * navigation to the end of the frame that drew it.
 */

/**
 * - `home`: the heading of a guest's Home, and its links, which can be followed.
 * - `live`: React has taken over from what index.html has drawn.
 * - `jobs`: the count of jobs, and so many of them that the screen is full.
 */
export type Shown = 'home' | 'live' | 'jobs'

declare global {
  interface Window {
    paints?: Partial<Record<Shown, number>>
  }
}

/** From the next load on, records when each of these is painted. */
export async function watchPaints(page: Page, ...names: Shown[]): Promise<void> {
  await page.addInitScript((watched: Shown[]) => {
    const isShown = (element: Element) =>
      element.getClientRects().length > 0 &&
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    const has = (selector: string, text: string) =>
      [...document.querySelectorAll(selector)].some(
        (element) => element.textContent?.includes(text) && isShown(element),
      )
    const isPainted: Record<Shown, () => boolean> = {
      home: () =>
        has('h1', 'Welcome to Soma') &&
        has('a[href$="/send"]', 'Send a Package') &&
        has('a[href*="/auth"]', 'Become a Driver'),
      live: () => {
        const root = document.getElementById('root')
        return (
          root !== null &&
          root.childElementCount > 0 &&
          !document.querySelector('#first, #skeleton')
        )
      },
      jobs: () => {
        const cards = document.getElementsByTagName('article')
        const last = cards[cards.length - 1]
        if (!last || last.getBoundingClientRect().bottom <= innerHeight) return false
        const texts = [...document.querySelectorAll('p, span')]
        return texts.some(({ textContent }) => /^\d+ jobs$/.test(textContent ?? ''))
      },
    }
    const paints: Partial<Record<Shown, number>> = {}
    window.paints = paints
    const waiting = new Set(watched)
    const look = () => {
      for (const name of waiting) {
        if (!document.body || !isPainted[name]()) continue
        waiting.delete(name)
        // A message that is posted in a frame arrives once the frame is drawn.
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => {
          paints[name] = performance.now()
        }
        port2.postMessage(undefined)
      }
      if (waiting.size > 0) requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  }, names)
}

/**
 * Opens a text of the page's origin first: the page is then measured in a process that is there already. An opener
 * policy makes the browser begin another one, which it slows down only after a while.
 */
export async function openOrigin(page: Page, url: string): Promise<void> {
  await page.goto(new URL(blankPath, url).href)
}

/** Served by the app, and by the bare pages' server. */
export const blankPath = '/robots.txt'

/** Waits until it is painted; returns the milliseconds. */
export async function painted(page: Page, name: Shown): Promise<number> {
  const handle = await page.waitForFunction((key) => window.paints?.[key], name, {
    polling: 50,
    timeout: 120_000,
  })
  return (await handle.jsonValue()) ?? Number.NaN
}

/**
 * Slows the page's main thread down; returns a function that changes the rate. Workers keep their pace:
 * Chromium slows only the page.
 */
export async function slowCpu(page: Page, rate: number): Promise<(rate: number) => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  const change = async (to: number) => {
    await session.send('Emulation.setCPUThrottlingRate', { rate: to })
  }
  await change(rate)
  return change
}
