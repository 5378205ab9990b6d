import { v7 } from 'uuid'
import { afterEach, expect, inject, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { countedPush, countedSms } from '#server/node/messages/counted-messages.ts'
import { type NodeMetrics, prometheusMetrics } from '#server/node/metrics.ts'
import type { Ports, SmsMessage } from '#server/ports/ports.ts'
import { openPostgres } from '#server/postgres/open-postgres.ts'
import { emptiedDatabase } from '../../helpers/database/emptied-database.ts'
import { photoForm, picture } from '../../helpers/pictures.ts'
import {
  present,
  pushService,
  startTestServer,
  type TestServer,
  testOptions,
} from '../../helpers/server/server.ts'

/* What `/metrics` says after calls of every kind. */

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function startMeasured(over: (metrics: NodeMetrics) => Partial<Ports> = () => ({})) {
  const database = await emptiedDatabase(inject('postgresUrl'))
  const repo = openPostgres(database.url)
  const metrics = prometheusMetrics({ pool: repo.pool, smsDaily: testOptions.smsDaily })
  const server = await startTestServer(
    { url: database.url, open: () => repo, drop: database.drop },
    { metrics, databaseFreeBytes: async () => 123_000_000, ...over(metrics) },
  )
  ends.push(database.drop)
  ends.push(server.close)
  return { server, repo, metrics }
}

/** The value of each line by its name and labels; labels in the order of the alphabet. */
async function read({ fetch }: Pick<TestServer, 'fetch'>): Promise<Map<string, number>> {
  const response = await fetch(new Request('http://soma.test/metrics'))
  expect(response.status).toBe(200)
  const lines = (await response.text()).split('\n')
  const values = lines.filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    values.map((line) => {
      const [, name = '', labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
      return [`${name}{${labels.split(',').sort().join(',')}}`, Number(value)]
    }),
  )
}

test('calls are counted by name, status and reason, with their time; the limits that refused some by name', async () => {
  const { server } = await startMeasured()
  await server.raw('GET', '/zones')
  await server.raw('GET', '/users/me')
  const body = { email: 'nobody@example.com', password: 'wrong password' }
  for (let tries = 0; tries < 11; tries++) await server.raw('POST', '/login', { body })
  const { token } = await server.sender()
  const [key, other] = [v7(), v7()]
  const operations = [key, other].map((each) => ({
    key: each,
    method: 'POST',
    path: '/sender/deliveries',
    body: server.request(),
  }))
  const batch = await server.raw('POST', '/batch', { token, body: { operations } })
  await batch.text()
  const form = photoForm(await picture(), 'unknown')
  await server.raw('POST', '/images/upload', { body: form })
  await server.raw('GET', `/images/${'a'.repeat(64)}.jpg`)
  await server.raw('GET', `/deliveries/${v7()}`, { token })

  const values = await read(server)
  const count = (line: string) => values.get(line) ?? 0
  expect(count('soma_answers_total{op="zones",status="200"}')).toBe(1)
  expect(count('soma_answers_total{op="login",status="401"}')).toBe(10)
  expect(count('soma_answers_total{op="login",status="429"}')).toBe(1)
  expect(count('soma_refusals_total{op="login",reason="wrong-login"}')).toBe(10)
  expect(count('soma_refusals_total{op="login",reason="too-many"}')).toBe(1)
  expect(count('soma_limits_hit_total{limit="login"}')).toBe(1)
  expect(count('soma_answer_seconds_count{op="login"}')).toBe(11)
  expect(count('soma_answers_total{op="createDelivery",status="201"}')).toBe(1)
  expect(count('soma_refusals_total{op="createDelivery",reason="active-delivery"}')).toBe(1)
  expect(count('soma_answers_total{op="batch",status="200"}')).toBe(1)
  expect(count('soma_batch_operations_sum{}')).toBe(2)
  expect(count('soma_refusals_total{op="uploadPhoto",reason="invalid"}')).toBe(1)
  expect(count('soma_uploads_under_way{}')).toBe(0)
  expect(count('soma_answers_total{op="photo",status="404"}')).toBe(1)
})

test('uploads under way, connections, waiting calls, SMS and checks are shown as they are now', async () => {
  // A provider that refuses the numbers that end in 9.
  const send = async ({ to }: SmsMessage) => {
    if (to.endsWith('9')) throw new Error('The SMS provider answered 400')
  }
  const { server, repo } = await startMeasured((metrics) => ({
    sms: countedSms({ send }, metrics),
    options: { ...testOptions, smsDaily: 3 },
  }))
  let finish: () => void = () => undefined
  const body = new ReadableStream({
    async start(controller) {
      const form = new Response(photoForm(await picture(), 'soma'))
      const bytes = new Uint8Array(await form.arrayBuffer())
      finish = () => {
        controller.enqueue(bytes)
        controller.close()
      }
    },
  })
  const upload = server.fetch(
    new Request('http://soma.test/api/images/upload', {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body,
      duplex: 'half',
    } as RequestInit),
  )
  const holders = await Promise.all(Array.from({ length: 3 }, () => repo.pool.connect()))
  await expect.poll(async () => (await read(server)).get('soma_uploads_under_way{}')).toBe(1)
  const busy = await read(server)
  expect(busy.get('soma_database_connections{state="used"}')).toBeGreaterThanOrEqual(3)
  for (const each of holders) each.release()
  finish()
  await upload
  await server.signUp('sender', { phone_number: '0241110001' })
  await server.signUp('sender', { phone_number: '0241110009' })
  const calm = await read(server)
  expect(calm.get('soma_uploads_under_way{}')).toBe(0)
  expect(calm.get('soma_database_connections{state="used"}')).toBe(0)
  expect(calm.get('soma_database_connections_max{}')).toBe(12)
  expect(calm.get('soma_database_waiting{}')).toBe(0)
  expect(calm.get('soma_sms_today{}')).toBe(2)
  expect(calm.get('soma_sms_daily{}')).toBe(testOptions.smsDaily)
  expect(calm.get('soma_messages_total{channel="sms",outcome="sent"}')).toBe(1)
  expect(calm.get('soma_messages_total{channel="sms",outcome="failed"}')).toBe(1)
  expect(calm.get('soma_disk_free_bytes{}')).toBe(123_000_000)
  for (const check of ['database', 'migrations', 'disk', 'uploads'])
    expect(calm.get(`soma_ready{check="${check}"}`), check).toBe(1)
})

test('push messages are counted by their outcome; without the database the metrics are still there, and say so', async () => {
  const { server, repo, metrics } = await startMeasured()
  const push = countedPush(present(server.ports.push), metrics)
  // Keys that nothing can be encrypted for.
  const to = { endpoint: pushService, p256dh: '', auth: '' }
  await push.send(to, { payload: 'text', topic: '', ttl: 1, urgency: 'low' })
  expect((await read(server)).get('soma_messages_total{channel="push",outcome="gone"}')).toBe(1)
  await repo.pool.end()
  const values = await read(server)
  expect(values.get('soma_ready{check="database"}')).toBe(0)
  expect(values.get('soma_sms_today{}')).toBeNaN()
})

test('R92: the number of unsent entries that phones report is a histogram; what is no number is not counted, and 500 is the most', async () => {
  const { server } = await startMeasured()
  const { token } = await server.sender()
  const report = (text: string) =>
    server.raw('GET', '/users/me', { token, headers: { 'x-support': text } })
  const codes = ['K7QX2MPD', 'K7QX2MPE', 'K7QX2MPF', 'K7QX2MPG', 'K7QX2MPH']
  for (const [at, length] of [0, 0, 3, 40, 999_999].entries())
    await report(`${codes[at]}.${length}`)
  // One more report of a phone within its minute moves nothing now.
  for (let times = 0; times < 50; times++) await report(`${codes[4]}.999999`)
  for (const wrong of ['K7QX2MPD.-1', 'K7QX2MPD.1e9', 'K7QX2MPD.1234567', 'K7QX2MPD', '12'])
    await report(wrong)
  await expect.poll(async () => (await read(server)).get('soma_phone_queue_length_count{}')).toBe(5)
  const values = await read(server)
  expect(values.get('soma_phone_queue_length_sum{}')).toBe(43 + 500)
  expect(values.get('soma_phone_queue_length_bucket{le="2"}')).toBe(2)
})

test('callers make no series: labels are names of our own code, whatever is asked', async () => {
  const { server } = await startMeasured()
  const { token } = await server.sender()
  const odd = ['x'.repeat(300), '"} 1\nfake 1', '../../metrics']
  const ask = async (text: string) => {
    const path = encodeURIComponent(text)
    for (const { method, path: template } of Object.values(endpoints))
      await server.raw(method, template.replace(/:\w+/, path), { token })
    await server.raw('GET', `/${path}`)
    await server.raw('GET', `/images/${path}`)
    await server.raw('BREW', `/images/${path}`)
    const operations = [{ key: v7(), method: 'BREW', path: `/${path}` }]
    await (await server.raw('POST', '/batch', { token, body: { operations } })).text()
  }
  await ask(odd[0] ?? '')
  const known = [...(await read(server)).keys()]
  for (const text of odd.slice(1)) await ask(text)
  const fresh = [...(await read(server)).keys()].filter((line) => !known.includes(line))
  // Another status or reason of the same call may be new.
  const label =
    /^[a-z_]+\{(?:(?:op|reason|limit|status|le|state|check|channel|outcome)="[\w.+-]*",?)*\}$/
  expect(fresh.filter((line) => line.startsWith('soma_') && !label.test(line))).toEqual([])
  const ops = new Set([...Object.keys(endpoints), 'batch', 'photo', 'uploadPhoto'])
  const named = fresh.flatMap((line) => /op="([^"]*)"/.exec(line)?.[1] ?? [])
  expect(named.filter((op) => !ops.has(op))).toEqual([])
}, 60_000)
