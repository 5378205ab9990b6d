import { gzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import type { DeliveryList } from '#server/ports/stores/delivery-stores.ts'
import { freshDatabase } from '../../helpers/database/postgres.ts'
import {
  type Person,
  postgresDatabase,
  present,
  startTestServer,
  type TestServer,
} from '../../helpers/server/server.ts'

/* A city with 20,000 jobs on offer, and a driver and a sender with 2,000 past deliveries each. */

let server: TestServer
let drop: () => Promise<void>
let yaw: Person
let ama: Person
beforeAll(async () => {
  const database = await freshDatabase(inject('postgresUrl'))
  drop = database.drop
  server = await startTestServer(postgresDatabase(database))
  yaw = await server.driver()
  ama = await server.sender()
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  const contact = (person: Person) => JSON.stringify({ id: person.user.ID, name: person.user.name })
  const rows = `insert into deliveries (id, item_description, pesewas, item_photo, recipient_name, recipient_phone,
      delivery_code, sender_name, sender_phone, history, status, pickup_zone, dropoff_zone, is_guest, sender_id,
      sender, driver_id, driver, created_at, updated_at)
    select gen_random_uuid(), (array['Documents', 'Laptop', 'Small Box', 'Groceries'])[1 + i % 4], 1000 + i % 700 * 10,
      'http://localhost:8080/api/images/' || encode(sha256(i::text::bytea), 'hex') || '.jpg', 'Esi', '0550000001', '01234',
      'Kofi', '0240000001', '[]'`
  await owner.query(
    `${rows}, 'Pending', names[1 + i % 18], names[1 + (i + 1 + i / 18 % 17) % 18], true, null, null, null, null, at, at
     from (select i, now() - i * interval '7 seconds' as at from generate_series(1, 20000) i) n,
       (select array_agg(name) as names from zones) z`,
  )
  await owner.query(
    `${rows}, 'Approved', 'Osu', 'Tema', false, $1, $2, $3, $4, at, at
     from (select i, now() - i * interval '1 hour' as at from generate_series(1, 2000) i) n`,
    [ama.user.ID, contact(ama), yaw.user.ID, contact(yaw)],
  )
  await owner.query('vacuum analyze deliveries')
  await owner.end()
}, 60_000)
afterAll(async () => {
  await server.close()
  await drop()
})

type Node = {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Node[]
}

const rowsRead = (node: Node): number =>
  (node['Relation Name'] === 'deliveries'
    ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    : 0) + (node.Plans ?? []).reduce((sum, each) => sum + rowsRead(each), 0)

/** How many rows of the table PostgreSQL reads for one page. */
async function readFor(list: DeliveryList, since?: string): Promise<number> {
  const asked = vi.spyOn(server.pool(), 'query')
  await server.repo.read(({ deliveries }) => deliveries.list(list, { limit: 200 }, since))
  const sent = asked.mock.calls.map(([query, values]: unknown[]) => ({ query, values }))
  asked.mockRestore()
  const { query, values } = sent.at(-1) as { query: { text: string }; values: unknown[] }
  const explain = `explain (analyze, format json) ${query.text}`
  const { rows } = await server.pool().query(explain, values)
  return rowsRead(rows[0]['QUERY PLAN'][0].Plan)
}

const jobs = (filter: { pickupZone?: string; dropoffZone?: string } = {}): DeliveryList => ({
  of: { forDriver: yaw.user.ID },
  only: filter,
  statuses: ['Pending'],
})

test('of 20,000 jobs and of 2,000 past deliveries only about a page is read, whatever the filter', async () => {
  // A zone has 1,111 of the jobs.
  const lists: [DeliveryList, number][] = [
    [jobs(), 250],
    [jobs({ pickupZone: 'Osu' }), 4_000],
    [jobs({ dropoffZone: 'Tema' }), 4_000],
    [jobs({ pickupZone: 'Osu', dropoffZone: 'Tema' }), 250],
    [jobs({ pickupZone: 'Nowhere' }), 1],
    [jobs({ dropoffZone: 'Nowhere' }), 1],
    [{ of: { driver: yaw.user.ID } }, 250],
    [{ of: { driver: yaw.user.ID }, statuses: ['Accepted', 'Picked Up'] }, 1],
    [{ of: { sender: ama.user.ID } }, 250],
  ]
  for (const [list, most] of lists)
    expect(await readFor(list), JSON.stringify(list)).toBeLessThanOrEqual(most)
})

test('what changed in a long list is read alone', async () => {
  const page = await server.repo.read(({ deliveries }) => deliveries.list(jobs(), { limit: 200 }))
  await server.guestDelivery()
  expect(await readFor(jobs(), page.cursor)).toBeLessThanOrEqual(5)
})

test('the newest 200 of 20,000 jobs are less than 20 kB with gzip', async () => {
  const query = '/driver/available-deliveries?limit=200'
  const answer = await server.raw('GET', query, { token: yaw.token })
  const text = await answer.text()
  const { deliveries, next } = JSON.parse(text)
  expect([deliveries.length, typeof next]).toEqual([200, 'string'])
  const times = deliveries.map(({ createdAt }: { createdAt: string }) => createdAt)
  expect(times).toEqual([...times].sort().reverse())
  expect(gzipSync(text).length).toBeLessThan(20_000)
})

test('R74: 2,000 past deliveries come once each over pages of 200, for their sender and their driver', async () => {
  for (const [path, { token }] of [
    ['/sender/deliveries?limit=200', ama],
    ['/driver/my-deliveries?include_completed=true&limit=200', yaw],
  ] as const) {
    const seen = new Set<string>()
    let after: string | undefined
    do {
      const page = await server.raw('GET', after ? `${path}&after=${after}` : path, { token })
      const { deliveries, next } = await page.json()
      for (const { ID } of deliveries) {
        expect(seen.has(ID)).toBe(false)
        seen.add(present<string>(ID))
      }
      after = next
    } while (after)
    expect(seen.size).toBe(2_000)
  }
})
