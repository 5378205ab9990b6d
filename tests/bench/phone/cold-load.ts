import type { Browser, Page } from '@playwright/test'
import { throttle } from '../../e2e/helpers/page/layout-shift.ts'
import { openOrigin, painted, watchPaints } from './paints.ts'

/** What a first visit took, in milliseconds from the start of the navigation, and bytes. */
export type ColdLoad = {
  usable: number
  /** React has taken over; only of the app. */
  live: number
  firstPaint: number
  largestPaint: number
  largestText: string
  /** What had come when the page was usable, with headers. */
  bytes: number
}

export type Network = { name: string; latency: number; kilobitsPerSecond: number }

/** Opens Home with nothing stored, without a service worker: Chromium would not throttle its requests. */
export async function coldLoad(
  browser: Browser,
  url: string,
  network: Network,
  isApp: boolean,
): Promise<ColdLoad> {
  const context = await browser.newContext({ serviceWorkers: 'block' })
  try {
    const page = await context.newPage()
    await openOrigin(page, url)
    await watchPaints(page, 'home', ...(isApp ? (['live'] as const) : []))
    await throttle(page, { ...network, cpu: 4 })
    await page.goto(url, { waitUntil: 'commit' })
    const usable = await painted(page, 'home')
    const live = isApp ? await painted(page, 'live') : Number.NaN
    // The banner comes half a second later, and could be the largest.
    await page.waitForTimeout(1_000)
    return { usable, live, ...(await timings(page, usable)) }
  } finally {
    await context.close()
  }
}

type LargestPaint = PerformanceEntry & { element: Element | null }

const timings = (page: Page, usable: number) =>
  page.evaluate(async (until) => {
    const largest = await new Promise<LargestPaint | undefined>((resolve) =>
      new PerformanceObserver((list) =>
        resolve(list.getEntries().at(-1) as LargestPaint | undefined),
      ).observe({ type: 'largest-contentful-paint', buffered: true }),
    )
    const loads = [
      ...performance.getEntriesByType('navigation'),
      ...performance.getEntriesByType('resource'),
    ] as PerformanceResourceTiming[]
    return {
      firstPaint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
      largestPaint: largest?.startTime ?? Number.NaN,
      largestText: largest?.element?.textContent?.slice(0, 40) ?? '',
      bytes: loads
        .filter(({ responseEnd }) => responseEnd > 0 && responseEnd <= until)
        .reduce((sum, { transferSize }) => sum + transferSize, 0),
    }
  }, usable)
