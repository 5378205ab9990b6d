import type { Page } from '@playwright/test'

type Shift = { value: number; moved: string[] }
declare global {
  interface Window {
    layoutShifts?: Shift[]
  }
}

/** From the next load on, records how far things move on the screen without a person's input. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: Shift[] = []
    window.layoutShifts = shifts
    const place = ({ x, y, width, height }: DOMRectReadOnly) =>
      [x, y, width, height].map(Math.round).join(' ')
    const name = (node: Node | null) => {
      const element = node instanceof Element ? node : node?.parentElement
      const text = element?.textContent?.slice(0, 30) ?? ''
      return `<${element?.tagName.toLowerCase()} class="${element?.getAttribute('class')}"> ${text}`
    }
    type Entry = PerformanceEntry & {
      value: number
      hadRecentInput: boolean
      sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
    }
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Entry[])
        if (!entry.hadRecentInput)
          shifts.push({
            value: entry.value,
            moved: entry.sources.map(
              ({ node, previousRect, currentRect }) =>
                `${place(previousRect)} → ${place(currentRect)}  ${name(node)}`,
            ),
          })
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/** The sum of the shifts since the last call or load, and what moved, the largest first. */
export async function takeShifts(page: Page): Promise<{ sum: number; culprits: string }> {
  const shifts = await page.evaluate(() => window.layoutShifts?.splice(0) ?? [])
  const largest = shifts.toSorted((a, b) => b.value - a.value).slice(0, 3)
  return {
    sum: shifts.reduce((sum, { value }) => sum + value, 0),
    culprits: largest
      .map(({ value, moved }) => `${value.toFixed(3)}\n  ${moved.join('\n  ')}`)
      .join('\n'),
  }
}

export type Throttle = { latency: number; kilobitsPerSecond: number; cpu?: number }

/** A slow network and processor for this page; nothing is cached. Its worker must be blocked. */
export async function throttle(page: Page, { latency, kilobitsPerSecond, cpu = 1 }: Throttle) {
  const session = await page.context().newCDPSession(page)
  const bytesPerSecond = (kilobitsPerSecond * 1_000) / 8
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpu })
}
