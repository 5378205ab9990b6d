import type { CDPSession, Page } from '@playwright/test'

/** Frames of the main thread during a scroll. */
export type Frames = {
  shown: number
  /** Those that a gap of more than one and a half intervals stands for. */
  dropped: number
  /** The longest gap between two frames, milliseconds. */
  longest: number
}

declare global {
  interface Window {
    frameTimes?: number[]
  }
}

const distance = 4_000
const pixelsPerSecond = 4_000

/** Scrolls to the end of the page, as far as `rows` rows are drawn, and counts the frames. */
export async function scrollThrough(page: Page, rows: number): Promise<Frames> {
  const session = await page.context().newCDPSession(page)
  await page.evaluate(() => {
    const frames: number[] = []
    window.frameTimes = frames
    const next = (time: number) => {
      frames.push(time)
      requestAnimationFrame(next)
    }
    requestAnimationFrame(next)
  })
  const total: Frames = { shown: 0, dropped: 0, longest: 0 }
  for (let swipe = 0; swipe < 240; swipe++) {
    const one = await scrollOnce(page, session)
    total.shown += one.shown
    total.dropped += one.dropped
    total.longest = Math.max(total.longest, one.longest)
    if (await isAtEnd(page, rows)) return total
  }
  const { drawn, top } = await page.evaluate(() => ({
    drawn: document.getElementsByTagName('article').length,
    top: scrollY,
  }))
  throw new Error(`The end of the list was not reached: ${drawn} drawn, scrolled by ${top} pixels`)
}

async function scrollOnce(page: Page, session: CDPSession): Promise<Frames> {
  await page.evaluate(() => window.frameTimes?.splice(0))
  await session.send('Input.synthesizeScrollGesture', {
    x: 180,
    y: 500,
    yDistance: -distance,
    speed: pixelsPerSecond,
    // A touch scrolls nothing where Playwright emulates touch.
    gestureSourceType: 'mouse',
    preventFling: true,
  })
  const times = await page.evaluate(() => window.frameTimes?.splice(0) ?? [])
  return framesOf(times)
}

const interval = 1_000 / 60

function framesOf(times: number[]): Frames {
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time))
  const long = gaps.filter((gap) => gap > 1.5 * interval)
  return {
    shown: times.length,
    dropped: long.reduce((sum, gap) => sum + Math.round(gap / interval) - 1, 0),
    longest: Math.max(0, ...gaps),
  }
}

const isAtEnd = (page: Page, rows: number) =>
  page.evaluate(
    (count) =>
      document.getElementsByTagName('article').length >= count &&
      scrollY + innerHeight >= document.documentElement.scrollHeight - 2,
    rows,
  )
