import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import pg from 'pg'
import { type AppServer, startAppServer } from '../../helpers/server/app-server.ts'
import { addPeople } from './loaded-server.ts'
import { at, keep, round } from './results.ts'

/*
 * Twenty hostile accounts at their limits on one server (R140 to R142): what an honest phone notices of them, and by how
 * much the database grows. Ten minutes, or `BENCH_SECONDS`.
 */

const seconds = Number(process.env.BENCH_SECONDS ?? 600)
const hostile = 20
/** Milliseconds between two looks of the honest phone, whose changes stay below the limit. */
const interval = Math.max(300, (seconds * 1_000) / 200)

let app: AppServer
let database: pg.Client
test.beforeAll(async () => {
  test.setTimeout(120_000)
  app = await startAppServer({ env: { LIMITS: '', LOG_LEVEL: 'error' } })
  database = new pg.Client(app.database())
  await database.connect()
})
test.afterAll(async () => {
  await database.end()
  await app.stop()
})

test('Twenty hostile accounts at their limits', async () => {
  test.setTimeout(seconds * 1_000 + 300_000)
  const [honest = ''] = await addPeople(database, 'honest', 1)
  const tokens = await addPeople(database, 'hostile', hostile)
  const accounts = []
  for (const [n, token] of tokens.entries())
    accounts.push({ token, ...(n % 2 === 0 ? { role: 'sender' } : await driverOf(n)) })
  // The first requests compile what they run.
  await look(honest, 10, 50)
  const idle = await look(honest, 40, interval)
  const before = await databaseSize()
  const attack = attackWith(accounts)
  await pause(500)
  const during = await look(honest, Math.floor((seconds * 1_000) / interval) - 2, interval)
  const statuses = await attack
  const grown = ((await databaseSize()) - before) / 1_000_000
  const p95 = { idle: at(idle, 0.95), during: at(during, 0.95) }
  expect(statuses['429']).toBeGreaterThan(0)
  keep({
    work: `an honest phone's p95 beside ${hostile} hostile accounts at their limits`,
    against: 'on an idle server',
    ratio: round(p95.during / p95.idle, 2),
    target: 'below 3; the database grows by less than 20 MB',
    met: p95.during < 3 * p95.idle && grown < 20,
    'p95 ms, idle and during': [p95.idle, p95.during].map((ms) => round(ms, 1)),
    'MB more': round(grown, 1),
    'answers to the hostile': statuses,
    seconds,
  })
})

/** A job that this driver has picked up, and jobs on offer. */
async function driverOf(n: number) {
  const job = await addJob(`job ${n}`)
  const driver = `jsonb_build_object('id', md5('hostile ${n}')::uuid, 'name', 'Yaw Mensah', 'phone', '0300000000')`
  await database.query(
    `update deliveries set status = 'Picked Up', driver_id = md5('hostile ${n}')::uuid, driver = ${driver},
       history = history || jsonb_build_array(jsonb_build_object('status', 'Picked Up', 'at', now())) where id = $1`,
    [job],
  )
  const offers = []
  for (let each = 0; each < 5; each++) offers.push(await addJob(`offer ${n} ${each}`))
  return { role: 'driver', job, offers }
}

async function addJob(name: string): Promise<string> {
  const { rows } = await database.query(
    `insert into deliveries (id, status, item_description, pickup_zone, dropoff_zone, pesewas, recipient_name,
       recipient_phone, delivery_code, is_guest, sender_name, sender_phone, history, created_at, updated_at)
     values (md5($1)::uuid, 'Pending', $2, 'Osu', 'Tema', 6000, 'Ama', '0240000000', '12345', true, 'Kofi',
       '0241111111', jsonb_build_array(jsonb_build_object('status', 'Pending', 'at', now())), now(), now())
     returning id`,
    [name, '€'.repeat(1_000)],
  )
  return rows[0].id
}

/** Milliseconds of so many looks: the list of jobs, and a change in a batch. */
async function look(token: string, times: number, every: number): Promise<number[]> {
  const millis: number[] = []
  for (let n = 0; n < times; n++) {
    const began = performance.now()
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const list = await fetch(`${app.origin}/api/driver/available-deliveries?limit=20`, { headers })
    await list.arrayBuffer()
    const path = '/users/me/notifications'
    const change = {
      key: randomUUID(),
      method: 'PATCH',
      path,
      body: { quiet: { from: 21, to: 6 } },
    }
    const body = JSON.stringify({ operations: [change] })
    const made = await fetch(`${app.origin}/api/batch`, { method: 'POST', headers, body })
    const { status } = JSON.parse(await made.text())
    expect([list.status, status]).toEqual([200, 200])
    millis.push(performance.now() - began)
    await pause(Math.max(0, every - (performance.now() - began)))
  }
  return millis
}

async function databaseSize(): Promise<number> {
  const { rows } = await database.query('select pg_database_size(current_database())::text as size')
  return Number(rows[0].size)
}

async function attackWith(accounts: object[]): Promise<Record<string, number>> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'hostile.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(JSON.stringify({ origin: app.origin, seconds, accounts }))
  return JSON.parse(await text(child.stdout))
}
