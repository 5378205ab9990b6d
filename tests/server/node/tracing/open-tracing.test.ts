import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, inject, test } from 'vitest'
import { safeLog } from '#server/log/safe-log.ts'
import { openTracing } from '#server/node/tracing/open-tracing.ts'
import { tracedPorts } from '#server/node/tracing/traced-ports.ts'
import { statementTrace } from '#server/node/tracing/traced-statements.ts'
import { readTraceparent } from '#server/node/tracing/traceparent.ts'
import { openPostgres } from '#server/postgres/open-postgres.ts'
import { freshDatabase } from '../../../helpers/database/postgres.ts'
import { otlpReceiver } from '../../../helpers/server/otlp-receiver.ts'

/* What is recorded in the process itself. */

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const call = { op: 'zones', method: 'GET', route: '/api/zones' }

async function tracingTo(endpoint: string) {
  const tracing = await openTracing({ endpoint, serviceName: 'soma', share: 1 }, log)
  ends.push(tracing.close)
  return tracing
}

test('a receiver that refuses is named in the log once, not with each batch', async () => {
  const collector = await otlpReceiver()
  ends.push(collector.close)
  const lines: string[] = []
  const add = (_: object, line: string) => lines.push(line)
  const tracing = await openTracing(
    { endpoint: collector.endpoint, serviceName: 'soma', share: 1 },
    { ...log, warn: add, info: add },
  )
  // A batch is sent at once.
  const batch = () => {
    for (let span = 0; span < 600; span++) tracing.begin(call).end({ status: 200 })
  }
  collector.receiver.status = 400
  batch()
  await expect.poll(() => lines).toEqual(['Traces are not taken by their receiver and are dropped'])
  collector.receiver.status = 200
  batch()
  await tracing.close()
  expect(lines[1]).toBe('Traces are taken again')
})

test('without a receiver no package of traces is loaded', () => {
  const main = join(import.meta.dirname, '../../../../dist/server/main.js')
  const source = readFileSync(main, 'utf8')
  expect(source).toMatch(/import\("@opentelemetry\/api"\)/)
  expect(source).not.toMatch(/^(import|export) .*@opentelemetry/m)
})

test.each([
  [0, 0],
  [1, 50],
])('of 50 calls a share of %i records %i', async (share, recorded) => {
  const collector = await otlpReceiver()
  ends.push(collector.close)
  const tracing = await openTracing(
    { endpoint: collector.endpoint, serviceName: 'soma', share },
    log,
  )
  for (let made = 0; made < 50; made++) tracing.begin(call).end({ status: 200 })
  await tracing.close()
  expect(collector.spans()).toHaveLength(recorded)
})

test('statements of calls that wait for a connection belong to their own calls', async () => {
  const collector = await otlpReceiver()
  ends.push(collector.close)
  const database = await freshDatabase(inject('postgresUrl'))
  ends.push(database.drop)
  const tracing = await openTracing(
    { endpoint: collector.endpoint, serviceName: 'x', share: 1 },
    log,
  )
  const repo = openPostgres(database.url, log, { trace: statementTrace(tracing) })
  ends.push(repo.close)
  const traced = tracedPorts({ repo, log } as never, tracing)
  // More than the pool has connections.
  const calls = Array.from({ length: 40 }, async (_, at) => {
    const span = tracing.begin({ ...call, op: `call${at}` })
    const isRead = at % 2 === 0
    await span.run(() =>
      isRead
        ? traced.repo.read(({ settings }) => settings.get('x'))
        : traced.repo.transaction(({ attempts }) => attempts.count('x', new Date().toISOString())),
    )
    span.end({ status: 200 })
  })
  await Promise.all(calls)
  await tracing.close()
  const spans = collector.spans()
  const roots = spans.filter(({ name }) => name.startsWith('call'))
  expect(roots).toHaveLength(40)
  for (const root of roots) {
    const names = spans
      .filter(({ traceId, spanId }) => traceId === root.traceId && spanId !== root.spanId)
      .map(({ name }) => name)
    const isRead = Number(root.name.slice(4)) % 2 === 0
    const expected = isRead
      ? ['read', 'select settings']
      : ['transaction', 'begin', 'select attempts', 'commit']
    // A new connection records the incarnation first (R93).
    const own = names.filter((name) => !/incarnations|^select$/.test(name))
    expect(own.sort(), root.name).toEqual(expected.sort())
  }
}, 30_000)

test('a statement that fails is a failed span with its code, without its message', async () => {
  const collector = await otlpReceiver()
  ends.push(collector.close)
  const tracing = await openTracing(
    { endpoint: collector.endpoint, serviceName: 'x', share: 1 },
    log,
  )
  const failing = async () => {
    throw Object.assign(new Error('Key (email)=(ama@example.com) exists'), { code: '23505' })
  }
  await expect(tracing.part('insert users', {}, failing)).rejects.toThrow('Key')
  await tracing.close()
  const [span] = collector.spans()
  expect(span).toMatchObject({ status: { code: 2 }, attributes: { 'error.type': '23505' } })
  expect(collector.text()).not.toContain('ama@example.com')
})

test('lines of the log carry the ID of the trace inside a call, and none outside', async () => {
  const tracing = await tracingTo('http://127.0.0.1:9')
  const lines: object[] = []
  // The log of a process, and around it that of its server.
  const written = safeLog({ ...log, warn: (about) => lines.push(about) })
  const kept = safeLog(tracing.logWithTrace(written))
  kept.warn({ op: 'zones' }, 'outside')
  tracing.begin(call).run(() => kept.warn({ op: 'zones' }, 'inside'))
  expect(lines).toEqual([
    { op: 'zones' },
    { op: 'zones', trace: expect.stringMatching(/^[0-9a-f]{32}$/) },
  ])
})

test.each([
  ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', 1],
  ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00', 0],
  ['01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-03-later', 1],
  ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more', undefined],
  ['ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', undefined],
  ['00-00000000000000000000000000000000-b7ad6b7169203331-01', undefined],
  ['00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01', undefined],
  ['00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01', undefined],
  ['', undefined],
  [undefined, undefined],
])('the trace context %s', (header, flags) => {
  expect(readTraceparent(header)?.traceFlags).toBe(flags)
})
