import type { Browser, Page } from '@playwright/test'

/*
 * Frames that came to the screen, or did not, while the page was scrolled: by the compositor's own report in a trace of
 * Chromium. The browser scrolls without the page's main thread; a frame for which that was late is shown all the same.
 */

export type ShownFrames = {
  shown: number
  /** Nothing came to the screen: what a person sees as a jerk. */
  dropped: number
  /** Shown with a place that was not painted yet. */
  blank: number
}

type FrameReport = {
  state: string
  scroll_state: string
  has_missing_content: boolean
}

type TraceEvent = { name: string; args?: { frame_reporter?: FrameReport } }

const categories = ['cc', 'benchmark', 'disabled-by-default-devtools.timeline.frame']

/** Traces `work`, which scrolls the page; returns what it does and the frames that were due during scrolls. */
export async function withShownFrames<T>(
  page: Page,
  work: () => Promise<T>,
): Promise<{ result: T; frames: ShownFrames }> {
  const browser = browserOf(page)
  await browser.startTracing(page, { categories })
  const result = await work()
  const trace = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[]
  }
  return { result, frames: framesIn(trace.traceEvents) }
}

function framesIn(events: TraceEvent[]): ShownFrames {
  const reports = events
    .filter(({ name }) => name === 'PipelineReporter')
    .flatMap(({ args }) => args?.frame_reporter ?? [])
    .filter((report) => report.scroll_state !== 'SCROLL_NONE')
  const shown = reports.filter(({ state }) => state.startsWith('STATE_PRESENTED'))
  if (shown.length === 0) throw new Error('The trace reports no frame of a scroll')
  return {
    shown: shown.length,
    dropped: reports.filter(({ state }) => state === 'STATE_DROPPED').length,
    blank: shown.filter((report) => report.has_missing_content).length,
  }
}

function browserOf(page: Page): Browser {
  const browser = page.context().browser()
  if (!browser) throw new Error('The page has no browser')
  return browser
}
