import { setTimeout as pause } from 'node:timers/promises'
import { test } from '@playwright/test'
import {
  guestRequest,
  type LoadedServer,
  load,
  memoryOf,
  startLoadedServer,
} from './loaded-server.ts'
import { keep, median, round } from './results.ts'

/* Memory of the server process while it is loaded: BENCH_MINUTES (3; an hour shows more). */

const minutes = Number(process.env.BENCH_MINUTES ?? 3)
const parts = 10

let server: LoadedServer
test.beforeAll(async () => {
  test.setTimeout(300_000)
  server = await startLoadedServer(10_000)
})
test.afterAll(() => server.close())
test('Memory at rest and under load', async () => {
  test.setTimeout(minutes * 2 * 60_000 + 300_000)
  const { app } = server
  const pid = app.pid()
  const atRest = memoryOf(pid)
  const under: number[] = []
  let calls = 0
  for (let part = 0; part < parts; part++) {
    const plan = { name: `memory ${part}`, addresses: true, cycle: [guestRequest(app.origin)] }
    const outcome = await load(app.port, { ...plan, seconds: (minutes * 60) / parts })
    calls += outcome.calls
    under.push(memoryOf(pid))
  }
  await pause(5_000)
  const after = memoryOf(pid)
  const [early, late] = [under.slice(0, parts / 2), under.slice(parts / 2)].map(median)
  keep({
    work: `memory of the process, ${minutes} minutes of load`,
    target: '150 MB, flat',
    met: Math.max(atRest, after) <= 150 && (late ?? 0) <= 1.1 * (early ?? 0),
    'MB at rest': round(atRest, 0),
    'MB under load': under.map((each) => round(each, 0)),
    'MB afterwards': round(after, 0),
    requests: calls,
  })
})
