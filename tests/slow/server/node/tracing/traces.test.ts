import { v7 } from 'uuid'
import { afterEach, expect, test } from 'vitest'
import { photoForm, picture } from '../../../../helpers/pictures.ts'
import { admin } from '../../../../helpers/server/app-server.ts'
import { otlpReceiver, type ReceivedSpan } from '../../../../helpers/server/otlp-receiver.ts'
import { processes } from '../../../../helpers/server/processes.ts'
import { present } from '../../../../helpers/server/server.ts'

/* The built server sends its traces to a receiver. */

const { started, stopped } = processes()

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function startTraced(env: Record<string, string> = {}) {
  const collector = await otlpReceiver()
  ends.push(collector.close)
  const traced = await started({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_BSP_SCHEDULE_DELAY: '100',
    ...env,
  })
  return { ...traced, collector }
}

const server = 2
const client = 3

const ama = {
  name: 'Ama Serwaa',
  email: 'ama.serwaa@example.com',
  password: 'a long password',
  phone_number: '0244987654',
  role: 'sender' as const,
}
const parcel = {
  itemDescription: 'Wedding dress',
  pickupZone: 'Osu',
  dropoffZone: 'Tema',
  offer: 61.25,
  recipientName: 'Efua Recipient',
  recipientPhone: '0551234987',
}

const named = (spans: ReceivedSpan[], name: string) => present(spans.find((s) => s.name === name))
const below = (spans: ReceivedSpan[], parent: ReceivedSpan) =>
  spans.filter(({ parentSpanId }) => parentSpanId === parent.spanId)

test('each call is a span with its transactions, statements, photos and SMS below it, and nothing of a person in any', async () => {
  const {
    server: process,
    ask,
    collector,
  } = await startTraced({
    OTEL_SERVICE_NAME: 'accra',
    OTEL_BSP_SCHEDULE_DELAY: '600000',
    TRUST_PROXY: '127.0.0.1/32',
  })
  const zones = (traceId: string, flags: string) =>
    fetch(`${process.origin}/api/zones`, {
      headers: { traceparent: `00-${traceId}-${trace.span}-${flags}` },
    })
  await zones(trace.id, '01')
  await zones(trace.id.replace('0af', '0bf'), '00')
  const { user, token } = present((await ask('signup', { body: ama })).value)
  const code = await process.smsCode(ama.phone_number)
  await ask('confirmPhone', { body: { phone_number: ama.phone_number, code } })
  const body = photoForm(await picture(), 'soma')
  const upload = await fetch(`${process.origin}/api/images/upload`, { method: 'POST', body })
  const { secure_url: itemPhoto } = await upload.json()
  const key = v7()
  await ask('createDelivery', { token, key, body: { ...parcel, itemPhoto } })
  await ask('getDelivery', { token, id: key })
  const wrong = { email: ama.email, password: 'not her password' }
  await ask('login', { body: wrong }).catch(() => undefined)
  const operations = [
    {
      key: v7(),
      method: 'PATCH',
      path: `/deliveries/${key}/status`,
      body: { status: 'Cancelled' },
    },
  ]
  await fetch(`${process.origin}/api/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ operations }),
  }).then((answer) => answer.text())
  // What waits is sent when the server stops.
  expect(collector.spans()).toEqual([])
  expect(await stopped(process)).toBe(0)

  const spans = collector.spans()
  expect(collector.resources()[0]).toMatchObject({ 'service.name': 'accra' })
  const create = named(spans, 'createDelivery')
  expect(create).toMatchObject({
    kind: server,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/api/sender/deliveries',
      'http.response.status_code': 201,
    },
  })
  expect(create.parentSpanId).toBeUndefined()
  const transaction = present(below(spans, create).find(({ name }) => name === 'transaction'))
  const statements = below(spans, transaction)
  expect(statements.map(({ name }) => name)).toContain('insert deliveries')
  for (const statement of statements) {
    expect(statement).toMatchObject({ kind: client, traceId: create.traceId })
    expect(statement.attributes['db.system.name']).toBe('postgresql')
  }
  expect(named(spans, 'getDelivery').attributes['http.route']).toBe('/api/deliveries/:id')
  expect(named(spans, 'login').attributes).toMatchObject({
    'http.response.status_code': 401,
    'soma.refusal': 'wrong-login',
  })
  const sms = named(spans, 'send SMS')
  expect(sms.parentSpanId).toBe(named(spans, 'signup').spanId)
  expect(below(spans, named(spans, 'uploadPhoto')).map(({ name }) => name)).toContain('put photo')
  expect(below(spans, named(spans, 'batch')).length).toBeGreaterThan(0)

  // The proxy chose to record its first call and not its second.
  const ofProxy = spans.filter(({ name }) => name === 'zones')
  expect(ofProxy).toMatchObject([{ traceId: trace.id, parentSpanId: trace.span }])

  const text = collector.text()
  expect(text.length).toBeGreaterThan(1_000)
  const secrets = [
    ...Object.values(ama).filter((value) => value !== 'sender'),
    ...Object.values(parcel).map(String),
    ...[user.ID, token, key, itemPhoto, wrong.password, operations[0]?.key ?? ''],
    ...[admin.email, '127.0.0.1'],
  ]
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  // Its digits may stand in an ID or a time by chance.
  expect(JSON.stringify(spans.map(({ attributes }) => attributes))).not.toContain('6125')
})

const trace = { id: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331' }

test('a trace is continued for a trusted proxy alone; a receiver that falls silent neither slows calls nor the stop', async () => {
  const { server: process, ask, collector } = await startTraced({ OTEL_BSP_EXPORT_TIMEOUT: '500' })
  const headers = { traceparent: `00-${trace.id}-${trace.span}-01` }
  await fetch(`${process.origin}/api/zones`, { headers })
  await expect.poll(() => collector.spans().map(({ name }) => name)).toContain('zones')
  expect(collector.text()).not.toContain(trace.id)

  collector.receiver.isSilent = true
  for (let call = 0; call < 30; call++) expect((await ask('zones')).status).toBe(200)
  const said = () => process.lines.filter((line) => line.includes('Traces are not taken')).length
  await expect.poll(said).toBe(1)
  for (let call = 0; call < 30; call++) expect((await ask('zones')).status).toBe(200)
  expect(await stopped(process)).toBe(0)
  expect(said()).toBe(1)
})
