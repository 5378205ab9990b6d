import { join } from 'node:path'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { bundle } from '../../helpers/bundle.ts'
import { type AppServer, startAppServer } from '../../helpers/server/app-server.ts'
import { longTasks } from '../../helpers/trace.ts'
import { inFreshProfile, type Run, runs } from './bench.ts'
import type { Filler } from './ours/filler.ts'
import { compare, measure } from './table.ts'

/** Times slower than this machine. */
const slowness = 4
const few = 200
const many = 2_000
/** Each takes minutes: two tell as much as more. */
const pairs = Math.min(2, runs)

/** The app itself on its own server, its outbox open, from when there is a network until nothing is left. */
test('2,000 queued, outbox open, until empty', async () => {
  test.setTimeout(30 * 60_000)
  const script = await bundle(join(import.meta.dirname, 'ours/filler.ts'))
  const server = await startAppServer({ env: { LOG_LEVEL: 'error' } })
  try {
    const long: Run[] = []
    const short: Run[] = []
    const tasks: number[] = []
    for (let run = 0; run < pairs; run++) {
      const found = await drained(server, script, many)
      long.push({ ms: found.ms })
      tasks.push(found.longestTask)
      short.push({ ms: (await drained(server, script, few)).ms * (many / few) })
    }
    const work = `${many} queued, outbox open, until empty, CPU ÷ ${slowness}`
    compare({ work, against: `${few} queued × ${many / few}`, target: 1.2 }, long, short)
    measure({ work: 'the longest task meanwhile', against: '', target: 100, unit: 'ms' }, tasks)
  } finally {
    await server.stop()
  }
})

type Drained = { ms: number; longestTask: number }

const drained = ({ origin }: AppServer, script: string, count: number): Promise<Drained> =>
  inFreshProfile(async (context) => {
    await context.route('**/filler', (route) =>
      route.fulfill({ contentType: 'text/html', body: '' }),
    )
    const filler = await context.newPage()
    await filler.goto(`${origin}/filler`)
    await filler.addScriptTag({ content: script, type: 'module' })
    await filler.waitForFunction(() => 'filler' in globalThis)
    const page = await context.newPage()
    await page.goto(`${origin}/outbox`)
    await expect(page.getByRole('heading', { name: 'Outbox' })).toBeVisible()
    await context.setOffline(true)
    await call(filler, 'fill', count, origin)
    await expect(page.getByRole('article').first()).toBeVisible()
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowness })
    const browser = context.browser() as Browser
    await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] })
    const from = performance.now()
    await context.setOffline(false)
    await call(filler, 'empty')
    const ms = performance.now() - from
    const tasks = longTasks(await browser.stopTracing())
    return { ms, longestTask: Math.max(0, ...tasks) }
  })

const call = (page: Page, name: keyof Filler, ...given: unknown[]) =>
  page.evaluate(
    ([called, args]) =>
      (
        globalThis as unknown as {
          filler: Record<string, (...args: unknown[]) => Promise<unknown>>
        }
      ).filler[called]?.(...args),
    [name, given] as const,
  )
