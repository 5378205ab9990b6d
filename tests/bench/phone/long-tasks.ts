import type { Browser, Page } from '@playwright/test'

/*
 * What the page's main thread does in tasks of more than 50 ms: from a trace of Chromium with its samples of
 * the running functions. A build without minification (`BENCH_ROOT`) names them.
 */

type TraceEvent = {
  name: string
  ph: string
  pid: number
  tid: number
  /** Microseconds. */
  ts: number
  dur?: number
  id?: string
  args: { data?: Record<string, unknown> }
}

export type LongTask = {
  /** Milliseconds since the navigation began. */
  at: number
  ms: number
  /** The longest steps of the browser in it, with their milliseconds. */
  steps: string[]
  /** Milliseconds spent in functions of each file, and in the functions that took most. */
  files: string[]
  functions: string[]
}

const categories = [
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'v8.execute',
  'blink.user_timing',
  'disabled-by-default-v8.cpu_profiler',
]

/** Traces `work` and returns the long tasks of the page, the longest first. */
export async function longTasks(
  browser: Browser,
  page: Page,
  work: () => Promise<unknown>,
): Promise<LongTask[]> {
  await browser.startTracing(page, { categories })
  await work()
  const trace = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[]
  }
  return tasksIn(trace.traceEvents).toSorted((a, b) => b.ms - a.ms)
}

function tasksIn(all: TraceEvent[]): LongTask[] {
  const start = all.findLast(
    ({ name, args }) =>
      name === 'navigationStart' &&
      String(
        (args.data as { documentLoaderURL?: string } | undefined)?.documentLoaderURL,
      ).startsWith('http'),
  )
  if (!start) throw new Error('The trace has no navigation')
  const own = all.filter(({ pid }) => pid === start.pid)
  const onThread = own.filter(({ tid, ph }) => tid === start.tid && ph === 'X')
  const samples = samplesIn(own, start.tid)
  return onThread
    .filter(({ name, dur = 0, ts }) => name === 'RunTask' && dur > 50_000 && ts >= start.ts)
    .map((task) => {
      const end = task.ts + (task.dur ?? 0)
      const within = ({ ts }: { ts: number }) => ts >= task.ts && ts < end
      const ran = samples.filter(within)
      return {
        at: ms(task.ts - start.ts),
        ms: ms(task.dur ?? 0),
        steps: onThread
          .filter((event) => event !== task && within(event) && (event.dur ?? 0) > 5_000)
          .toSorted((a, b) => (b.dur ?? 0) - (a.dur ?? 0))
          .slice(0, 6)
          .map((event) => `${label(event)} ${ms(event.dur ?? 0)}`),
        files: most(ran, ({ file }) => file),
        functions: most(ran, ({ name, file, line }) => `${name} ${file}:${line}`),
      }
    })
}

const ms = (microseconds: number) => Math.round(microseconds / 1_000)

const fileName = (url: unknown) =>
  String(url ?? '')
    .replace(/^https?:\/\/[^/]+/, '')
    .replace(/\?.*/, '')

function label({ name, args: { data } }: TraceEvent): string {
  const where = [data?.functionName, data?.type, fileName(data?.url)].filter(Boolean).join(' ')
  return where === '' ? name : `${name} (${where})`
}

type Sample = { ts: number; us: number; name: string; file: string; line: number }
type Node = {
  id: number
  callFrame: { functionName: string; url?: string; lineNumber?: number }
}

/** Every sample of the page's thread with the time until the next one. */
function samplesIn(events: TraceEvent[], thread: number): Sample[] {
  const samples: Sample[] = []
  const starts = new Map<TraceEvent['id'], number>()
  const nodes = new Map<string, Node>()
  for (const { name, id, tid, args } of events) {
    // A worker in the same process has a profile of its own.
    if (name === 'Profile' && tid === thread) starts.set(id, Number(args.data?.startTime))
    if (name !== 'ProfileChunk' || !starts.has(id)) continue
    const { cpuProfile, timeDeltas = [] } = args.data as {
      cpuProfile?: { nodes?: Node[]; samples?: number[] }
      timeDeltas?: number[]
    }
    for (const node of cpuProfile?.nodes ?? []) nodes.set(`${id} ${node.id}`, node)
    let ts = starts.get(id) ?? 0
    for (const [at, sample] of (cpuProfile?.samples ?? []).entries()) {
      ts += timeDeltas[at] ?? 0
      const { functionName, url, lineNumber } = nodes.get(`${id} ${sample}`)?.callFrame ?? {}
      samples.push({
        ts,
        us: timeDeltas[at + 1] ?? timeDeltas[at] ?? 0,
        name: functionName || '(anonymous)',
        file: fileName(url) || '(browser)',
        line: (lineNumber ?? 0) + 1,
      })
    }
    starts.set(id, ts)
  }
  return samples
}

/** The names that most time was spent in, with their milliseconds. */
function most(samples: Sample[], nameOf: (sample: Sample) => string): string[] {
  const sums = new Map<string, number>()
  for (const sample of samples)
    sums.set(nameOf(sample), (sums.get(nameOf(sample)) ?? 0) + sample.us)
  return [...sums]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 8)
    .map(([name, us]) => `${name} ${ms(us)}`)
}
