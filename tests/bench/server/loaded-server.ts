import { spawn } from 'node:child_process'
import { createHash, randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { fill } from '../../helpers/database/fill-database.ts'
import { type AppServer, startAppServer } from '../../helpers/server/app-server.ts'

/** Requests under way at once. */
export const clients = 16

export type LoadedServer = {
  app: AppServer
  /** A connection of the database's superuser. */
  database: pg.Client
  /** One driver for each client: approved, logged in with this token, without a job. */
  tokens: string[]
  close(): Promise<void>
}

/** A server whose database holds so many deliveries and a fifth as many people. */
export async function startLoadedServer(deliveries: number): Promise<LoadedServer> {
  const app = await startAppServer({
    env: {
      LOG_LEVEL: 'warn',
      TRUST_PROXY: '127.0.0.1',
      LIMITS: JSON.stringify({ guestRequests: 1_000_000, changes: 1_000_000, creates: 1_000_000 }),
    },
  })
  const database = new pg.Client(app.database())
  await database.connect()
  await fill(app.database(), { users: Math.max(200, deliveries / 5), deliveries })
  const tokens = await addDrivers(database)
  return {
    app,
    database,
    tokens,
    async close() {
      await database.end()
      await app.stop()
    },
  }
}

const sha256 = (words: string) => createHash('sha256').update(words).digest('hex')

const addDrivers = (database: pg.Client) => addPeople(database, 'driver', clients)

/** Adds approved drivers under the IDs that `md5('<name> <number>')` gives; resolves to a token of each. */
export async function addPeople(
  database: pg.Client,
  name: string,
  count: number,
): Promise<string[]> {
  await database.query(
    `insert into users (id, name, email, email_key, phone, role, verified, driver_status, password_hash, created_at)
     select md5($2 || ' ' || k)::uuid, 'Yaw Mensah', $2 || k || '@bench.test', $2 || k || '@bench.test',
       '03' || lpad((k + 1000 * length($2))::text, 8, '0'), 'driver', true, 'approved', 'nobody', now()
     from generate_series(0, $1::int - 1) k`,
    [count, name],
  )
  const tokenOf = (k: number) => `u_token_of_the_bench_${name}_${k}_${'x'.repeat(20)}`
  const tokens = Array.from({ length: count }, (_, k) => tokenOf(k))
  for (const [k, token] of tokens.entries())
    await database.query(
      `insert into sessions (hash, id, user_id, device, created_at, used_at)
       values ($1, gen_random_uuid(), md5($3 || ' ' || $2::int)::uuid, 'bench', now(), now())`,
      [sha256(token), k, name],
    )
  return tokens
}

/** Adds jobs for each client under the IDs that `md5('<name> <client> <turn>')` gives. Their code is 12345. */
export async function addJobs({ database }: LoadedServer, name: string, each: number) {
  await database.query(
    `insert into deliveries (id, status, item_description, pickup_zone, dropoff_zone, pesewas, recipient_name,
       recipient_phone, delivery_code, is_guest, sender_name, sender_phone, history, created_at, updated_at)
     select md5($1 || ' ' || k || ' ' || i)::uuid, 'Pending', 'Laptop', 'Osu', 'Tema', 6000, 'Ama', '0240000000',
       '12345', true, 'Kofi', '0241111111', jsonb_build_array(jsonb_build_object('status', 'Pending', 'at', now())),
       now(), now()
     from generate_series(0, $2::int - 1) k, generate_series(0, $3::int - 1) i`,
    [name, clients, each],
  )
  await database.query('vacuum analyze deliveries')
}

export type Call = { method: string; path: string; body?: object; etag?: string }
export type Plan = {
  name: string
  clients?: number
  seconds?: number
  cycles?: number
  tokens?: string[]
  addresses?: boolean
  cycle: Call[]
}
export type Outcome = {
  calls: number
  seconds: number
  cycles: number
  /** Milliseconds of each call of the cycle. */
  millis: number[][]
}

/** Loads a server from another process. Throws when a call fails. */
export async function load(port: number, plan: Plan): Promise<Outcome> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'load.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(JSON.stringify({ port, clients, ...plan }))
  const { failures, ...outcome }: Outcome & { failures: Record<string, number> } = JSON.parse(
    await text(child.stdout),
  )
  if (Object.keys(failures).length > 0) throw new Error(`Calls failed: ${JSON.stringify(failures)}`)
  return outcome
}

/** Milliseconds of processor time that a process has used. */
export function cpuOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Megabytes of memory that a process holds. */
export function memoryOf(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}

/** What a guest asks for, at the server of this address. */
export const guestRequest = (origin: string): Call => ({
  method: 'POST',
  path: '/api/guest/deliveries',
  body: {
    itemPhoto: `${origin}/api/images/${'a'.repeat(64)}.jpg`,
    ...{ itemDescription: 'Laptop', pickupZone: 'Osu', dropoffZone: 'Tema', offer: 60 },
    ...{ recipientName: 'Ama', recipientPhone: '0240000000', guestSecret: 'x'.repeat(43) },
    ...{ senderName: 'Kofi', senderPhone: `024${randomInt(1_000_000, 10_000_000)}` },
  },
})
