import type { BrowserContext } from '@playwright/test'
import { openOrigin, painted, slowCpu, watchPaints } from './paints.ts'

/**
 * Opens `url` in a new page of a phone that was there before; milliseconds from the start of the navigation
 * until its jobs are painted.
 */
export async function warmStart(
  context: BrowserContext,
  url: string,
  { cpu, offline = false }: { cpu: number; offline?: boolean },
): Promise<number> {
  const page = await context.newPage()
  try {
    await openOrigin(page, url)
    await context.setOffline(offline)
    await watchPaints(page, 'jobs')
    await slowCpu(page, cpu)
    await page.goto(url, { waitUntil: 'commit' })
    return await painted(page, 'jobs')
  } finally {
    await context.setOffline(false)
    await page.close()
  }
}
