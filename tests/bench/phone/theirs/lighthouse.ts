import { chromium } from '@playwright/test'
import lighthouse, { type Result as Report } from 'lighthouse'
import { chromiumArgs, findChromium } from '../../../helpers/chromium.mjs'
import { freePort } from '../../../helpers/server/app-server.ts'
import { keep, median, round } from '../results.ts'

/** The least score of each category, of 100. */
const least: Record<string, number> = {
  performance: 95,
  accessibility: 100,
  'best-practices': 100,
  seo: 100,
}

/** Runs Lighthouse's mobile preset so many times on each path; keeps the medians and the audits that fail. */
export async function runLighthouse(origin: string, paths: Record<string, string>, runs: number) {
  for (const [name, path] of Object.entries(paths)) {
    const reports: Report[] = []
    for (let run = 0; run < runs; run++) reports.push(await report(`${origin}${path}`))
    for (const category of Object.keys(least)) keepCategory(name, category, reports)
  }
}

/** In a browser of its own: Lighthouse leaves IndexedDB as it is, so the next visit would not be a first one. */
async function report(url: string): Promise<Report> {
  const port = await freePort()
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: [...chromiumArgs, `--remote-debugging-port=${port}`],
  })
  try {
    const result = await lighthouse(url, { port, logLevel: 'error', output: 'json' })
    if (!result || result.lhr.runtimeError)
      throw new Error(`Lighthouse failed: ${result?.lhr.runtimeError?.message}`)
    return result.lhr
  } finally {
    await browser.close()
  }
}

function keepCategory(name: string, category: string, reports: Report[]): void {
  const scores = reports.map(({ categories }) => (categories[category]?.score ?? 0) * 100)
  const target = least[category] ?? 100
  const score = median(scores)
  keep({
    work: `Lighthouse, ${name}: ${category}`,
    score: round(score, 0),
    target,
    met: score >= target,
    scores: scores.map((each) => round(each, 0)).join(' '),
    failing: failing(category, reports),
    ...(category === 'performance'
      ? {
          timings: timings(reports),
          // Of a quiet desktop 1,500 and more: a lower one makes a lower score.
          'benchmark index': round(
            median(reports.map(({ environment }) => environment.benchmarkIndex)),
            0,
          ),
        }
      : {}),
  })
}

/** The audits that keep the category below 100, and hints of no weight, in the run of the median score. */
function failing(category: string, reports: Report[]): string[] {
  const scoreOf = (report: Report) => report.categories[category]?.score ?? 0
  const middle = median(reports.map(scoreOf))
  const report = reports.find((each) => scoreOf(each) === middle)
  return (report?.categories[category]?.auditRefs ?? []).flatMap(({ id, weight }) => {
    const audit = report?.audits[id]
    if (!audit || audit.score === null || audit.score >= 0.9) return []
    return [`${id} ${audit.displayValue ?? audit.score}${weight > 0 ? '' : ' (hint)'}`]
  })
}

/** Medians of the simulated times, milliseconds. */
const timings = (reports: Report[]): Record<string, number> =>
  Object.fromEntries(
    [
      'first-contentful-paint',
      'largest-contentful-paint',
      'speed-index',
      'total-blocking-time',
      'cumulative-layout-shift',
      'interactive',
    ].map((id) => [
      id,
      round(median(reports.map(({ audits }) => audits[id]?.numericValue ?? Number.NaN)), 3),
    ]),
  )
