import { type Browser, expect, type Page } from '@playwright/test'
import { serverApi } from '../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../e2e/helpers/server/server-fixture.ts'
import { acceptTaps, type Tap } from './accept.ts'
import { fillBareRows, startBareRows } from './bare-rows.ts'
import { driverPhone, held, jobRows } from './driver.ts'
import { heapUsed } from './memory.ts'
import { slowCpu } from './paints.ts'
import { at, compare, keep, median, round } from './results.ts'
import { type Frames, scrollThrough } from './scrolling.ts'
import { type ShownFrames, withShownFrames } from './shown-frames.ts'

/* The part of `npm run bench -- phone` in which the phone holds thousands of rows. */

const root = process.env.BENCH_ROOT
const fixture = serverFixture({
  ...(root && { root: () => root }),
  env: { LIMITS: JSON.stringify({ giveBacks: 1_000 }) },
})
const api = serverApi(fixture)

const phoneWith = (browser: Browser, jobs: number, total?: number) =>
  driverPhone(browser, { server: fixture(), api, jobs, total })

test('Tap on Accept with 10,000 deliveries held against 100 ms', async ({ browser }) => {
  const small = await phoneWith(browser, 50)
  const phone = await phoneWith(browser, 50, 10_000)
  const context = phone.context()
  await Promise.all([small.close(), phone.close()])
  const taps: Tap[] = []
  const few: Tap[] = []
  for (let session = 0; session < 3; session++) {
    few.push(
      ...(await acceptTaps(small.context(), `${fixture().origin}/drive`, { count: 3, cpu: 8 })),
    )
    taps.push(...(await acceptTaps(context, `${fixture().origin}/drive`, { count: 6, cpu: 8 })))
  }
  const answers = taps.map(({ answered }) => answered)
  const times = taps.map(({ accepted }) => accepted)
  const responses = taps.map(({ response }) => response)
  const page = await context.newPage()
  await page.goto(fixture().origin)
  keep({
    work: 'tap on Accept until it is painted, p95, 10,000 deliveries held, at CPU ÷ 8',
    against: '100 ms',
    ratio: round(at(answers, 0.95) / 100, 2),
    target: 1,
    met: at(answers, 0.95) <= 100,
    'p95 ms': round(at(answers, 0.95), 0),
    'median ms': round(median(answers), 0),
    'until the job’s room is painted: p95 ms': round(at(times, 0.95), 0),
    'until the job’s room is painted: median ms': round(median(times), 0),
    'first tap of each session ms': [0, 6, 12]
      .map((first) => round(times[first] ?? 0, 0))
      .join(' '),
    'next paint after the tap: p95 ms': round(at(responses, 0.95), 0),
    'next paint after the tap: median ms': round(median(responses), 0),
    'with 50 deliveries held: median ms until the room': round(
      median(few.map(({ accepted }) => accepted)),
      0,
    ),
    taps: taps.length,
    held: await held(page),
  })
  await Promise.all([context.close(), small.context().close()])
})

test('Scrolling 1,000 jobs against a bare page of the same rows', async ({ browser }) => {
  const count = 1_000
  const phone = await phoneWith(browser, count)
  // Once through without a slow processor: from then on the phone holds all of them.
  await scrollThrough(phone, count)
  const rows = await jobRows(phone)
  expect(rows).toHaveLength(count)
  const bareRows = await startBareRows(fixture().origin)
  const bare = await (await browser.newContext()).newPage()
  await fillBareRows(bare, bareRows.origin, rows)
  const ours: Scroll[] = []
  const theirs: Scroll[] = []
  for (let run = 0; run < 3; run++) {
    theirs.push(await scrolled(bare, `${bareRows.origin}/rows?draw=${count}`, count))
    ours.push(await scrolled(phone, `${fixture().origin}/drive`, count))
  }
  const middle = (scrolls: Scroll[], of: (scroll: Scroll) => number) => median(scrolls.map(of))
  const dropped = middle(ours, ({ screen }) => screen.dropped)
  const bareDropped = middle(theirs, ({ screen }) => screen.dropped)
  keep({
    work: 'frames dropped while 1,000 jobs are scrolled through, at CPU ÷ 4',
    against: 'a bare page of the same rows',
    target: 'none more',
    met: dropped <= bareDropped,
    dropped,
    'bare dropped': bareDropped,
    'shown on the screen': middle(ours, ({ screen }) => screen.shown),
    'of them with a place not painted yet': middle(ours, ({ screen }) => screen.blank),
    'frames that the main thread missed': middle(ours, ({ main }) => main.dropped),
    'bare frames that the main thread missed': middle(theirs, ({ main }) => main.dropped),
    'longest gap of the main thread ms': round(
      middle(ours, ({ main }) => main.longest),
      0,
    ),
    'bare longest gap of the main thread ms': round(
      middle(theirs, ({ main }) => main.longest),
      0,
    ),
    each: ours.map(({ screen }) => screen.dropped).join(' '),
    runs: ours.length,
  })
  await Promise.all([phone.context().close(), bare.context().close(), bareRows.close()])
})

test('Memory with 10,000 deliveries held against a bare page with the same rows', async ({
  browser,
}) => {
  const phone = await phoneWith(browser, 50, 10_000)
  const rows = await jobRows(phone)
  const bareRows = await startBareRows(fixture().origin)
  const bare = await (await browser.newContext()).newPage()
  await fillBareRows(bare, bareRows.origin, rows, 10_000)
  for (const path of ['/drive', '/deliveries']) {
    const ours: number[] = []
    const theirs: number[] = []
    for (let run = 0; run < 3; run++) {
      await bare.goto(`${bareRows.origin}/rows`)
      await expect(bare.getByRole('article')).toHaveCount(50)
      theirs.push(await heapUsed(bare))
      await phone.goto(fixture().origin + path)
      await expect(phone.getByRole('article').first()).toBeVisible()
      await phone.waitForTimeout(2_000)
      ours.push(await heapUsed(phone))
    }
    compare(
      {
        work: `JavaScript heap on ${path} with 10,000 deliveries held`,
        against: 'a bare page with the same rows in an array',
        target: 1.5,
        held: await held(phone),
      },
      'MB',
      ours,
      theirs,
    )
  }
  await Promise.all([phone.context().close(), bare.context().close(), bareRows.close()])
})

/** `main`: frames of the page's main thread. `screen`: those that a person saw. */
type Scroll = { main: Frames; screen: ShownFrames }

async function scrolled(page: Page, url: string, count: number): Promise<Scroll> {
  await slowCpu(page, 4)
  await page.goto(url)
  await expect(page.getByRole('article').nth(15)).toBeAttached({ timeout: 60_000 })
  await page.waitForTimeout(2_000)
  const { result, frames } = await withShownFrames(page, () => scrollThrough(page, count))
  return { main: result, screen: frames }
}
