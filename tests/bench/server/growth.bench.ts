import { createHash } from 'node:crypto'
import { test } from '@playwright/test'
import { admin } from '../../helpers/server/app-server.ts'
import { type LoadedServer, startLoadedServer } from './loaded-server.ts'
import { keep, median, round } from './results.ts'

/* Reads with 1,000,000 deliveries stored, against 10,000. Milliseconds as a client measures them; medians. */

const runs = Number(process.env.BENCH_RUNS ?? 5) * 4
const large = Number(process.env.BENCH_ROWS ?? 1_000_000)

let small: LoadedServer
let big: LoadedServer
test.beforeAll(async () => {
  test.setTimeout(30 * 60_000)
  small = await startLoadedServer(10_000)
  big = await startLoadedServer(large)
})
test.afterAll(async () => {
  await small.close()
  await big.close()
})
const tokenOfAdmin = 'u_token_of_the_admin_of_the_bench'

async function logInAdmin({ database }: LoadedServer) {
  const hash = createHash('sha256').update(tokenOfAdmin).digest('hex')
  await database.query(
    `insert into sessions (hash, id, user_id, device, created_at, used_at)
     select $1, gen_random_uuid(), id, 'bench', now(), now() from users where email_key = $2`,
    [hash, admin.email],
  )
}

async function timeOf(server: LoadedServer, path: string, token: string | undefined) {
  const begin = performance.now()
  const response = await fetch(`${server.app.origin}${path}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  return performance.now() - begin
}

/** The address of the page after 999 pages of ten. */
async function page1000({ database }: LoadedServer): Promise<string> {
  const { rows } = await database.query<{ at: string; id: string }>(
    `select created_at::text as at, id from deliveries order by created_at desc, id desc offset 9989 limit 1`,
  )
  const [row] = rows
  const after = Buffer.from(JSON.stringify([row?.at, row?.id])).toString('base64url')
  return `/api/admin/deliveries?limit=10&after=${after}`
}

const reads: { work: string; path: string | ((server: LoadedServer) => Promise<string>) }[] = [
  { work: 'statistics', path: '/api/admin/stats' },
  { work: 'trends of 30 days', path: '/api/admin/trends?days=30' },
  { work: 'trends of 366 days', path: '/api/admin/trends?days=366' },
  {
    work: 'jobs of a route',
    path: '/api/driver/available-deliveries?pickupZone=Osu&dropoffZone=Tema&limit=20',
  },
  { work: 'page 1,000 of an admin’s deliveries', path: page1000 },
  { work: 'deliveries by price', path: '/api/admin/deliveries?limit=10&sort=-offer' },
  { work: 'search, many found', path: '/api/admin/deliveries?limit=10&search=kente' },
  { work: 'search, none found', path: '/api/admin/deliveries?limit=10&search=no+such+thing' },
  { work: 'search by a driver’s name', path: '/api/admin/deliveries?limit=10&search=akua+mensah' },
  { work: 'search by a phone number', path: '/api/admin/deliveries?limit=10&search=0550000001' },
]

test('Reads at 1,000,000 deliveries', async () => {
  test.setTimeout(20 * 60_000)
  for (const server of [small, big]) await logInAdmin(server)
  for (const { work, path } of reads) {
    const times: number[][] = [[], []]
    for (let run = 0; run < runs; run++)
      for (const [at, server] of [small, big].entries()) {
        const address = typeof path === 'string' ? path : await path(server)
        const token = address.startsWith('/api/driver') ? server.tokens[0] : tokenOfAdmin
        times[at]?.push(await timeOf(server, address, token))
      }
    const [few = 0, many = 0] = times.map(median)
    keep({
      work: `${work}, ${large.toLocaleString('en')} stored`,
      against: '10,000 stored',
      ratio: round(many / few, 2),
      target: '1.5, and 60 ms',
      met: many / few <= 1.5 && many <= 60,
      'ms with 10,000': round(few, 1),
      ms: round(many, 1),
      runs,
    })
  }
})
