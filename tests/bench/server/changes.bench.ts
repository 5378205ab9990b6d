import { randomUUID } from 'node:crypto'
import { test } from '@playwright/test'
import {
  addJobs,
  type Call,
  clients,
  guestRequest,
  type LoadedServer,
  load,
  startLoadedServer,
} from './loaded-server.ts'
import { runPgbench } from './pgbench.ts'
import { recordScript } from './recorded-statements.ts'
import { at, keep, median, round } from './results.ts'

/*
 * Changes by 16 clients at once, against the same statements sent by pgbench to the same PostgreSQL. They
 * take turns; medians of five.
 */

const seconds = Number(process.env.BENCH_SECONDS ?? 10)
const turns = Number(process.env.BENCH_RUNS ?? 5)
/** More than a client can do in one turn. */
const jobs = seconds * 60

let server: LoadedServer
test.beforeAll(async () => {
  test.setTimeout(300_000)
  server = await startLoadedServer(10_000)
})
test.afterAll(() => server.close())
const delivery: Call[] = [
  { method: 'PATCH', path: '/api/driver/deliveries/{id}/accept', body: {} },
  { method: 'PATCH', path: '/api/deliveries/{id}/status', body: { status: 'Picked Up' } },
  { method: 'POST', path: '/api/driver/deliveries/{id}/complete', body: { code: '12345' } },
]
const names = ['accept', 'pick up', 'complete']

/** Makes one call as the first client. */
async function make({ method, path, body }: Call, id: string, token?: string) {
  const response = await fetch(`${server.app.origin}${path.replace('{id}', id)}`, {
    method,
    headers: {
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    body: JSON.stringify(body),
  })
  if (!response.ok)
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
}

async function resultOf(expression: string): Promise<string> {
  const { rows } = await server.database.query<{ value: string }>(
    `select (${expression})::text as value`,
  )
  return rows[0]?.value ?? ''
}

test('Accept, pick up and complete', async () => {
  test.setTimeout(turns * seconds * 4_000 + 300_000)
  await addJobs(server, 'recorded', 1)
  const idOf = (name: string, client: string, turn: string) =>
    `md5('${name} ' || ${client} || ' ' || ${turn})::uuid`
  const recorded = await resultOf(idOf('recorded', '0', '0'))
  const replaced = new Map([
    [recorded, `${idOf('pgbench', ':client_id', ':turn')}::text`],
    [await resultOf("md5('driver 0')::uuid"), "md5('driver ' || :client_id)::uuid::text"],
    [
      await resultOf(`encode(sha256('${server.tokens[0]}'), 'hex')`),
      `encode(sha256(('u_token_of_the_bench_driver_' || :client_id || '_${'x'.repeat(20)}')::bytea), 'hex')`,
    ],
  ])
  // The driver's own name and number may stay: they are not compared.
  const script = await recordScript(
    server,
    delivery.map((call) => () => make(call, recorded, server.tokens[0])),
    replaced,
  )
  const rates: number[] = []
  const floors: number[] = []
  const millis: number[][] = [[], [], []]
  for (let turn = 0; turn < turns; turn++) {
    await addJobs(server, `turn ${turn}`, jobs)
    const outcome = await load(server.app.port, {
      ...{ name: `turn ${turn}`, seconds, tokens: server.tokens, cycle: delivery },
    })
    rates.push(outcome.calls / outcome.seconds)
    for (const [step, times] of outcome.millis.entries()) millis[step]?.push(...times)
    await server.database.query('delete from notifications')
    await addJobs(server, 'pgbench', jobs)
    floors.push((await runPgbench(server.app.database(), script, seconds)) * delivery.length)
    await forget('pgbench')
  }
  const ratio = median(rates) / median(floors)
  const tails = millis.map((times) => at(times, 0.99) / median(times))
  keep({
    work: `accept, pick up and complete, ${clients} in flight`,
    against: 'the same statements by pgbench',
    ratio: round(ratio, 2),
    target: 'at least 0.4; p99 at most 10 × p50',
    met: ratio >= 0.4 && Math.max(...tails) <= 10,
    'changes a second': round(median(rates), 0),
    'pgbench a second': round(median(floors), 0),
    ...Object.fromEntries(
      names.map((name, step) => [
        `${name}: p50, p99 ms`,
        [median(millis[step] ?? []), at(millis[step] ?? [], 0.99)].map((ms) => round(ms, 1)),
      ]),
    ),
    'p99 ÷ p50': tails.map((tail) => round(tail, 1)),
    runs: turns,
  })
})

/** Removes what pgbench did to these deliveries, so that it can begin again. */
async function forget(name: string) {
  const ids = `select md5('${name} ' || k || ' ' || i)::uuid from generate_series(0, ${clients - 1}) k, generate_series(0, ${jobs - 1}) i`
  await server.database.query('set session_replication_role = replica')
  await server.database.query(`delete from notifications where delivery_id in (${ids})`)
  await server.database.query(`delete from deliveries where id in (${ids})`)
  await server.database.query(`delete from delivery_search where id in (${ids})`)
  await server.database.query('set session_replication_role = origin')
}

test('Requests of guests', async () => {
  test.setTimeout(turns * seconds * 4_000 + 300_000)
  const script = await recordScript(
    server,
    [() => make(guestRequest(server.app.origin), '')],
    new Map(),
  )
  const rates: number[] = []
  const floors: number[] = []
  const millis: number[] = []
  for (let turn = 0; turn < turns; turn++) {
    const outcome = await load(server.app.port, {
      ...{
        name: `guests ${turn}`,
        seconds,
        addresses: true,
        cycle: [guestRequest(server.app.origin)],
      },
    })
    rates.push(outcome.calls / outcome.seconds)
    millis.push(...(outcome.millis[0] ?? []))
    floors.push(await runPgbench(server.app.database(), script, seconds))
    await server.database.query('delete from notifications')
  }
  const ratio = median(rates) / median(floors)
  keep({
    work: `requests of guests, ${clients} in flight`,
    against: 'the same statements by pgbench',
    ratio: round(ratio, 2),
    target: 'at least 0.33',
    met: ratio >= 0.33,
    'requests a second': round(median(rates), 0),
    'pgbench a second': round(median(floors), 0),
    'p50, p99 ms': [median(millis), at(millis, 0.99)].map((ms) => round(ms, 1)),
    runs: turns,
  })
})
