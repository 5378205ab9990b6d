import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from '@playwright/test'
import { type Call, cpuOf, type LoadedServer, load, startLoadedServer } from './loaded-server.ts'
import { compare } from './results.ts'

/* Processor time of the server process for each answer, against a bare `node:http` that sends the same bytes. */

const cycles = Number(process.env.BENCH_READS ?? 4_000)
const turns = Number(process.env.BENCH_RUNS ?? 5)
const path = '/api/driver/available-deliveries?limit=20'

let server: LoadedServer
test.beforeAll(async () => {
  test.setTimeout(300_000)
  server = await startLoadedServer(10_000)
})
test.afterAll(() => server.close())
/** The answer, and its ETag. */
async function answer() {
  const { app, tokens } = server
  const headers = { authorization: `Bearer ${tokens[0]}` }
  const response = await fetch(`${app.origin}${path}`, { headers })
  return { body: await response.json(), etag: response.headers.get('etag') ?? '' }
}

async function startBare(body: unknown): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare-http.mjs')])
  child.stdin.end(JSON.stringify(body))
  const [port] = await once(child.stdout, 'data')
  return { child, port: Number(`${port}`) }
}

/** Milliseconds of processor time for each answer. */
async function costOf(pid: number | undefined, port: number, call: Call): Promise<number> {
  const before = cpuOf(pid)
  const { tokens } = server
  const { calls } = await load(port, { name: 'reads', cycles, tokens, cycle: [call] })
  return (cpuOf(pid) - before) / calls
}

for (const { work, target, isHeld } of [
  { work: 'processor time of a 304', target: 1.5, isHeld: true },
  { work: 'processor time of 20 deliveries as JSON', target: 3, isHeld: false },
])
  test(work, async () => {
    test.setTimeout(turns * 300_000)
    const { body, etag } = await answer()
    const { child, port } = await startBare(body)
    const call: Call = { method: 'GET', path, ...(isHeld ? { etag } : {}) }
    const bareCall: Call = { method: 'GET', path: isHeld ? '/304' : '/' }
    const [ours, bare]: number[][] = [[], []]
    for (let turn = 0; turn < turns; turn++) {
      ours?.push(await costOf(server.app.pid(), server.app.port, call))
      bare?.push(await costOf(child.pid, port, bareCall))
    }
    child.kill()
    const against = 'bare node:http with the same answer'
    compare({ work, against, target, answers: cycles }, 'ms', ours ?? [], bare ?? [])
  })
