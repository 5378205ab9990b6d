import { createHash, randomBytes } from 'node:crypto'
import { Agent, get } from 'node:http'
import { expect, test } from '@playwright/test'
import pg from 'pg'
import { fill } from '../../helpers/database/fill-database.ts'
import { type AppServer, startAppServer } from '../../helpers/server/app-server.ts'
import { measure } from './table.ts'

const pending = 20_000
/** What a driver's phone asks for on the first pull, once each: the standing lists. */
const lists = [
  '/config',
  '/zones',
  '/items',
  '/users/me',
  '/driver/status',
  '/sender/deliveries?limit=200',
  '/driver/my-deliveries?include_completed=true&limit=200',
  '/driver/available-deliveries?limit=200',
]

test('Bytes of the first pull of a driver with 20,000 jobs pending', async () => {
  test.setTimeout(300_000)
  const server = await startAppServer({ env: { LOG_LEVEL: 'error' } })
  try {
    const database = server.database()
    await fill(database, { users: 200, deliveries: 1_000 })
    const token = await addJobs(database)
    const plain = await bytesOf(server, token, 'identity')
    const against = `${pending.toLocaleString('en')} jobs pending`
    const note = `${Math.round(plain / 1_000)} kB without compression; responses with their headers.`
    const compressed = await bytesOf(server, token, 'gzip, deflate, br')
    const work = 'first pull of a driver'
    measure({ work, against, target: 40, unit: 'kB', note }, [compressed / 1_000])
  } finally {
    await server.stop()
  }
})

/** Makes jobs of guests, over nine zones and sixty days; returns the token of an approved driver. */
async function addJobs(database: pg.ClientConfig): Promise<string> {
  const token = `u_${randomBytes(32).toString('base64url')}`
  const hash = createHash('sha256').update(token).digest('hex')
  const client = new pg.Client(database)
  await client.connect()
  await client.query('set session_replication_role = replica')
  await client.query(
    `insert into deliveries (id, status, item_description, pickup_zone, dropoff_zone, pesewas, recipient_name,
       recipient_phone, delivery_code, is_guest, sender_name, sender_phone, item_photo, history, created_at, updated_at)
     select gen_random_uuid(), 'Pending', item_description, pickup_zone, dropoff_zone, pesewas + i, recipient_name,
       recipient_phone, delivery_code, true, sender_name, sender_phone, $2 || md5(i::text) || md5('b' || i) || '.jpg',
       jsonb_build_array(jsonb_build_object('status', 'Pending', 'at', made)), made, made
     from (select d.*, i, now() - i * interval '4 minutes' - random() * interval '1 minute' as made
       from generate_series(1, $1::int) i
       join (select *, row_number() over (order by id) as n from deliveries) d on d.n = 1 + i % 900) jobs`,
    [pending, 'https://photos.example.com/api/images/'],
  )
  await client.query(
    `insert into sessions (hash, user_id, used_at)
     select $1, id, now() from users where role = 'driver' and driver_status = 'approved' limit 1`,
    [hash],
  )
  const { rows } = await client.query(
    `select count(*)::int from deliveries where status = 'Pending'`,
  )
  expect(rows[0].count).toBeGreaterThanOrEqual(pending)
  await client.end()
  return token
}

/** Bytes that one connection received for all lists. */
async function bytesOf({ origin }: AppServer, token: string, encoding: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': encoding }
  let bytes = 0
  for (const path of lists) {
    const url = `${origin}/api${path}`
    await new Promise<void>((resolve, reject) => {
      get(url, { headers, agent }, (response) => {
        expect(response.statusCode, path).toBe(200)
        const { socket } = response
        response.resume().on('end', () => {
          bytes = socket.bytesRead
          resolve()
        })
      }).on('error', reject)
    })
  }
  agent.destroy()
  return bytes
}
