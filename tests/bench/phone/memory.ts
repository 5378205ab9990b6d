import type { Page } from '@playwright/test'

/** Megabytes of the page's JavaScript heap in use, after everything that is not reachable was collected. */
export async function heapUsed(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.enable')
  for (let time = 0; time < 3; time++) await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / 1e6
}
