import { expect, type Page } from '@playwright/test'
import { serverApi } from '../../e2e/helpers/server/server-api.ts'
import { serverFixture, test } from '../../e2e/helpers/server/server-fixture.ts'
import { startBareHome } from './bare-home.ts'
import { fillBareRows, startBareRows } from './bare-rows.ts'
import { type ColdLoad, coldLoad, type Network } from './cold-load.ts'
import { driverPhone, jobRows } from './driver.ts'
import { longTasks } from './long-tasks.ts'
import { painted, slowCpu, watchPaints } from './paints.ts'
import { compare, keep, median, round } from './results.ts'
import { warmStart } from './warm-start.ts'

/*
 * `npm run bench -- phone`: how fast the app is on a cheap phone, as ratios to a page that does the least,
 * in runs that take turns. `-g` and a part of a title runs one of them. `BENCH_ROOT` names another checkout
 * whose build is measured instead.
 */

const root = process.env.BENCH_ROOT
const fixture = serverFixture(root ? { root: () => root } : {})
const api = serverApi(fixture)
const runs = Number(process.env.BENCH_RUNS ?? 5)

type RunLighthouse = (origin: string, paths: Record<string, string>, runs: number) => Promise<void>

/** The presets of Chromium's and Lighthouse's slow networks. */
const networks: Network[] = [
  { name: 'Slow 4G', latency: 150, kilobitsPerSecond: 1_600 },
  { name: '3G', latency: 400, kilobitsPerSecond: 400 },
]

test('Cold load of Home against a bare page of the same text', async ({ browser }) => {
  const bareHome = await startBareHome(browser, fixture().origin)
  for (const network of networks) {
    const ours: ColdLoad[] = []
    const bare: ColdLoad[] = []
    for (let run = 0; run < runs; run++) {
      bare.push(await coldLoad(browser, bareHome.origin, network, false))
      ours.push(await coldLoad(browser, fixture().origin, network, true))
    }
    const of = (
      loads: ColdLoad[],
      name: 'usable' | 'live' | 'firstPaint' | 'largestPaint' | 'bytes',
    ) => loads.map((load) => load[name])
    const bytes = median(of(ours, 'bytes')) - median(of(bare, 'bytes'))
    const carried = (bytes * 8) / network.kilobitsPerSecond
    const onNetwork = `on ${network.name} at CPU ÷ 4`
    compare(
      {
        work: `cold load to a usable Home ${onNetwork}`,
        against: 'a bare page of the same text, and the bytes that it lacks ÷ rate',
        target: 1.15,
        'ratio to the bare page alone': round(
          median(of(ours, 'usable')) / median(of(bare, 'usable')),
          2,
        ),
        'bytes more': bytes,
        'first paint ms': round(median(of(ours, 'firstPaint')), 0),
        'React has taken over ms': round(median(of(ours, 'live')), 0),
      },
      'ms',
      of(ours, 'usable'),
      of(bare, 'usable').map((ms) => ms + carried),
    )
    compare(
      {
        work: `largest contentful paint of Home, cold, ${onNetwork}`,
        against: 'a bare page of the same text',
        target: 1.2,
        largest: ours[0]?.largestText,
        'largest of the bare page': bare[0]?.largestText,
      },
      'ms',
      of(ours, 'largestPaint'),
      of(bare, 'largestPaint'),
    )
  }
  await bareHome.close()
})

test('Warm start to a list of 50 jobs against a bare page with a worker and IndexedDB', async ({
  browser,
}) => {
  const phone = await driverPhone(browser, { server: fixture(), api, jobs: 50 })
  const rows = await jobRows(phone)
  expect(rows).toHaveLength(50)
  const bareRows = await startBareRows(fixture().origin)
  const bare = await (await browser.newContext()).newPage()
  await fillBareRows(bare, bareRows.origin, rows)
  const contexts = [phone.context(), bare.context()] as const
  await Promise.all([phone.close(), bare.close()])
  const times = { ours: [[], []] as [number[], number[]], bare: [[], []] as [number[], number[]] }
  for (let run = 0; run < runs; run++)
    for (const offline of [false, true]) {
      const which = offline ? 1 : 0
      const how = { cpu: 8, offline }
      times.bare[which].push(await warmStart(contexts[1], `${bareRows.origin}/rows?draw=50`, how))
      times.ours[which].push(await warmStart(contexts[0], `${fixture().origin}/drive`, how))
    }
  const against = 'a bare page with a worker and IndexedDB that draws the same 50 rows'
  for (const [which, name] of ['online', 'offline'].entries())
    compare(
      { work: `warm start to 50 jobs, ${name}, at CPU ÷ 8`, against, target: 2 },
      'ms',
      times.ours[which] ?? [],
      times.bare[which] ?? [],
    )
  const ratio = median(times.ours[1]) / median(times.ours[0])
  keep({
    work: 'warm start to 50 jobs, offline',
    against: 'the same online',
    ratio: round(ratio, 2),
    target: 1.1,
    met: ratio <= 1.1,
  })
  await Promise.all(contexts.map((context) => context.close()))
  await bareRows.close()
})

test('Long tasks of a cold and of a warm start', async ({ browser }) => {
  const context = await browser.newContext({ serviceWorkers: 'block' })
  await keepLongTasks('a cold start of Home', await context.newPage(), fixture().origin, 'live')
  await context.close()
  const phone = await driverPhone(browser, { server: fixture(), api, jobs: 50 })
  const warm = await phone.context().newPage()
  await phone.close()
  await keepLongTasks('a warm start to 50 jobs', warm, `${fixture().origin}/drive`, 'jobs')
  await warm.context().close()
})

test('Lighthouse of Home, Send and Auth', async () => {
  test.setTimeout(30 * 60_000)
  // Its package is installed for the benchmarks alone, so its types are not there for other commands.
  const path: string = './theirs/lighthouse.ts'
  const { runLighthouse }: { runLighthouse: RunLighthouse } = await import(path)
  await runLighthouse(
    fixture().origin,
    { Home: '/', Send: '/send', Auth: '/auth' },
    Math.min(3, runs),
  )
})

async function keepLongTasks(name: string, page: Page, url: string, until: 'live' | 'jobs') {
  await watchPaints(page, until)
  await slowCpu(page, 4)
  const browser = page.context().browser()
  if (!browser) throw new Error('The page has no browser')
  const tasks = await longTasks(browser, page, async () => {
    await page.goto(url, { waitUntil: 'commit' })
    await painted(page, until)
    await page.waitForTimeout(2_000)
  })
  keep({
    work: `long tasks of ${name}, at CPU ÷ 4`,
    count: tasks.length,
    'ms in all': tasks.reduce((sum, { ms }) => sum + ms, 0),
    tasks,
  })
}
