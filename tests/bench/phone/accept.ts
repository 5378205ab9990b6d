import type { BrowserContext, Page } from '@playwright/test'
import { painted, slowCpu, watchPaints } from './paints.ts'

/** Milliseconds of one tap on Accept. */
export type Tap = {
  /** From the touch to the frame that shows that the job is being accepted. */
  answered: number
  /** From the touch to the frame that shows the job as accepted, with the next step. */
  accepted: number
  /** From the touch to the first frame after it, whatever that shows: what INP counts. */
  response: number
}

declare global {
  interface Window {
    tap?: { answered?: number; accepted?: number; response: number }
  }
}

/** Opens the jobs in a new page and accepts `count` of them one after another. Each is given back. */
export async function acceptTaps(
  context: BrowserContext,
  url: string,
  { count, cpu }: { count: number; cpu: number },
): Promise<Tap[]> {
  const page = await context.newPage()
  await watchPaints(page, 'jobs')
  const slow = await slowCpu(page, cpu)
  await page.goto(url, { waitUntil: 'commit' })
  await painted(page, 'jobs')
  await page.waitForTimeout(3_000)
  const taps: Tap[] = []
  for (let index = 0; index < count; index++) {
    await slow(cpu)
    taps.push(await accept(page, index))
    // Given back at full speed: it is not measured.
    await slow(1)
    await page.getByRole('button', { name: 'Give the job back' }).tap()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('My vehicle broke down').tap()
    await dialog.getByRole('button', { name: 'Give the job back' }).tap()
    await page.waitForURL('**/drive')
    await page.getByRole('article').nth(index).waitFor()
    await page.waitForTimeout(1_000)
  }
  await page.close()
  return taps
}

async function accept(page: Page, index: number): Promise<Tap> {
  const button = page.getByRole('article').nth(index).getByRole('button', { name: 'Accept Job' })
  await button.scrollIntoViewIfNeeded()
  await page.waitForTimeout(1_000)
  await page.evaluate(watchTap)
  await button.tap()
  const handle = await page.waitForFunction(() => window.tap?.accepted, undefined, { polling: 50 })
  const accepted = (await handle.jsonValue()) ?? Number.NaN
  // Event timing is reported a while after the frame.
  await page.waitForTimeout(500)
  const { answered = Number.NaN, response = Number.NaN } =
    (await page.evaluate(() => window.tap)) ?? {}
  return { answered, accepted, response }
}

/** In the page: measures the next tap. */
function watchTap(): void {
  const tap: NonNullable<Window['tap']> = { response: 0 }
  window.tap = tap
  const hasButton = (text: string) =>
    [...document.querySelectorAll('button')].some(
      (button) => button.textContent?.startsWith(text) && button.checkVisibility(),
    )
  const isAccepted = () =>
    location.pathname.startsWith('/delivery/') && hasButton('Mark as Picked Up')
  addEventListener(
    'pointerdown',
    ({ timeStamp }) => {
      const set = (name: 'answered' | 'accepted') => {
        // A message that is posted in a frame arrives once the frame is drawn.
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => {
          tap[name] ??= performance.now() - timeStamp
        }
        port2.postMessage(undefined)
      }
      const look = () => {
        if (hasButton('Accepting…')) set('answered')
        if (isAccepted()) set('accepted')
        else requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
      new PerformanceObserver((list) => {
        for (const { duration, startTime } of list.getEntries())
          if (startTime >= timeStamp) tap.response = Math.max(tap.response, duration)
      }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
    },
    { capture: true, once: true },
  )
}
