import { afterAll, expect, inject, test } from 'vitest'
import { databaseProxy } from '../../helpers/database/database-proxy.ts'
import { freshDatabase } from '../../helpers/database/postgres.ts'
import { type Person, postgresDatabase, startTestServer } from '../../helpers/server/server.ts'

const database = await freshDatabase(inject('postgresUrl'))
const proxy = await databaseProxy(database.url)
const server = await startTestServer(postgresDatabase({ url: proxy.url, drop: database.drop }))
const ama = await server.sender()
afterAll(async () => {
  await server.close()
  proxy.close()
  await database.drop()
})

test('without the database calls get 503 and the server keeps running; they work again when it is back', async () => {
  const status = async (path: string, about = {}) => {
    const answer = await server.raw('GET', path, about)
    return [answer.status, (await answer.json()).reason, answer.headers.get('retry-after')]
  }
  proxy.cut()
  expect(await status('/zones')).toEqual([503, 'unavailable', '2'])
  expect(await status('/users/me', { token: ama.token })).toEqual([503, 'unavailable', '2'])
  const create = { token: ama.token, key: crypto.randomUUID(), body: server.request() }
  const lost = await server.raw('POST', '/sender/deliveries', create)
  expect([lost.status, (await lost.json()).reason]).toEqual([503, 'unavailable'])
  const ready = await server.fetch(new Request('http://soma.test/readyz'))
  expect(ready.status).toBe(503)
  expect((await server.fetch(new Request('http://soma.test/healthz'))).status).toBe(200)

  proxy.restore()
  expect((await status('/zones'))[0]).toBe(200)
  // The repeated request succeeds: the failure was not stored.
  const made = await server.raw('POST', '/sender/deliveries', create)
  expect([made.status, made.headers.get('idempotent-replayed')]).toEqual([201, null])
})

test('requests running when the database disconnects get 503 and are rolled back', async () => {
  const people: Person[] = []
  for (let n = 0; n < 6; n++) people.push(await server.sender())
  const keys = people.map(() => crypto.randomUUID())
  const send = (n: number) =>
    server.raw('POST', '/sender/deliveries', {
      token: people[n]?.token,
      key: keys[n],
      body: server.request(),
    })
  const sending = people.map((_, n) => send(n))
  setTimeout(proxy.cut, 5)
  const first = await Promise.all(sending)
  for (const { status } of first) expect([201, 503]).toContain(status)
  // A broken connection that the pool has not noticed yet would take one more request with it.
  await expect.poll(() => server.pool().totalCount).toBe(0)
  proxy.restore()
  const second = await Promise.all(people.map((_, n) => send(n)))
  expect(second.map(({ status }) => status)).toEqual(Array(6).fill(201))
  const { rows } = await server
    .pool()
    .query(
      'select count(*)::int as all, count(distinct sender_id)::int as senders from deliveries where id = any($1)',
      [keys],
    )
  expect(rows[0]).toEqual({ all: 6, senders: 6 })
  const balance = await server
    .pool()
    .query('select coalesce(sum(pesewas), 0)::int as sum from entries')
  expect(balance.rows[0]).toEqual({ sum: 0 })
})

test('a request that waits too long for a lock is given up', async () => {
  const made = await server.delivery(await server.sender())
  const yaw = await server.driver()
  // Far below the server's own limit, so that the test is quick.
  server.pool().on('acquire', (client) => void client.query('set lock_timeout = 200'))
  const holder = await server.pool().connect()
  await holder.query('begin')
  await holder.query('select 1 from deliveries where id = $1 for update', [made.ID])
  const answer = await server.raw('PATCH', `/driver/deliveries/${made.ID}/accept`, {
    token: yaw.token,
  })
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
  await holder.query('rollback')
  holder.release()
})
