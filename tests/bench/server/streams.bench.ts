import { spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from '@playwright/test'
import { guestRequest, type LoadedServer, memoryOf, startLoadedServer } from './loaded-server.ts'
import { at, keep, median, round } from './results.ts'

/* Streams of people who wait for news, on one process: 9,000 senders and 1,000 drivers. */

const senders = 9_000
const drivers = 1_000
/** Streams of one person at most. */
const each = 10
const runs = Number(process.env.BENCH_RUNS ?? 5) * 4

let server: LoadedServer
test.beforeAll(async () => {
  test.setTimeout(300_000)
  server = await startLoadedServer(10_000)
})
test.afterAll(() => server.close())
/** Logs in so many people of this role, and returns their tokens. */
async function logIn(role: 'driver' | 'sender', count: number): Promise<string[]> {
  const tokens = Array.from(
    { length: count },
    (_, at) => `u_stream_of_${role}_${at}_${'x'.repeat(20)}`,
  )
  const hashes = tokens.map((token) => createHash('sha256').update(token).digest('hex'))
  const { rows } = await server.database.query<{ id: string }>(
    'select id from users where role = $1 order by created_at limit $2',
    [role, count],
  )
  if (role === 'driver')
    await server.database.query(
      "update users set driver_status = 'approved', verified = true where role = 'driver'",
    )
  await server.database.query(
    `insert into sessions (hash, id, user_id, device, created_at, used_at)
     select hash, gen_random_uuid(), person, 'bench', now(), now()
     from unnest($1::text[], $2::uuid[]) as t (hash, person)`,
    [hashes, hashes.map((_, at) => rows[at % rows.length]?.id)],
  )
  return tokens
}

/** Opens streams in a process of its own. */
async function openStreams(tokens: string[], count: number) {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'idle-streams.mjs'), `${server.app.port}`, `${count}`],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  child.stdin.end(tokens.join('\n'))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => `${(await lines.next()).value}`
  if ((await next()) !== 'open') throw new Error('The streams were not opened')
  return { next, end: () => child.kill() }
}

test('10,000 idle streams', async () => {
  test.setTimeout(20 * 60_000)
  const { app } = server
  const atRest = memoryOf(app.pid())
  const waiting = await openStreams(await logIn('sender', senders / each), senders)
  const looking = await openStreams(await logIn('driver', drivers / each), drivers)
  const memory = memoryOf(app.pid())
  const times: number[] = []
  for (let run = 0; run < runs; run++) {
    const { path, body } = guestRequest(app.origin)
    const begin = Date.now()
    const response = await fetch(`${app.origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`The request was refused: ${await response.text()}`)
    times.push(Number(await looking.next()) - begin)
  }
  waiting.end()
  looking.end()
  keep({
    work: `memory of the process with ${senders + drivers} idle streams`,
    target: '400 MB',
    met: memory <= 400,
    MB: round(memory, 0),
    'MB without them': round(atRest, 0),
  })
  keep({
    work: `from a request until ${drivers} of these streams have its news`,
    target: '250 ms',
    met: median(times) <= 250,
    ms: median(times),
    p95: at(times, 0.95),
    runs,
  })
})
