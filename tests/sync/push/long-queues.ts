import fc from 'fast-check'
import { v7 } from 'uuid'
import { expect } from 'vitest'
import { sendModel } from '#store/model/requests.ts'
import { SomaDb } from '#store/soma-db.ts'
import type { OutboxEntry } from '#sync/database/entry.ts'
import { entryOf } from '#sync/outbox/enqueue.ts'
import { createWaits } from '#sync/outbox/waits.ts'
import { realClock, type SyncContext } from '#sync/platform/context.ts'
import { createTrafficMeter } from '#sync/platform/traffic-meter.ts'
import { batchSize } from '#sync/push/batch-support.ts'
import { drain } from '#sync/push/sender.ts'
import { person, signIn } from '../../helpers/device/device.ts'
import { createLocks } from '../../helpers/device/phone.ts'

/** A queue: for each entry its lane and, for some, how far back another entry stands that it depends on. */
type Queue = { lanes: number; entries: { lane: number; back: number }[] }

/** One entry of a batch, or of a single call. */
type Sent = { key: string; after: string[] }

/** Answers every report of an issue, singly or in batches, and remembers what it was asked. */
function backend(takesBatch: boolean) {
  const effects = new Map<string, number>()
  const order: string[] = []
  const requests: Sent[][] = []
  const answer = (key: string) => ({ dispute: { ID: key, DeliveryID: key, issue: 'x' } })
  function effect({ key, after }: Sent) {
    effects.set(key, (effects.get(key) ?? 0) + 1)
    order.push(key)
    return after
  }
  async function transport(request: Request): Promise<Response> {
    if (!request.url.endsWith('/batch')) {
      const one = { key: request.headers.get('idempotency-key') ?? '', after: [] }
      requests.push([one])
      effect(one)
      return Response.json(answer(one.key), { status: 201 })
    }
    if (!takesBatch) return Response.json({ error: 'No such call' }, { status: 404 })
    const { operations } = (await request.json()) as { operations: (Sent & { after?: string[] })[] }
    const all = operations.map(({ key, after = [] }) => ({ key, after }))
    requests.push(all)
    const lines = all.map((each) => {
      effect(each)
      return `${JSON.stringify({ key: each.key, status: 201, body: answer(each.key) })}\n`
    })
    return new Response(lines.join(''), { headers: { 'content-type': 'application/x-ndjson' } })
  }
  return { effects, order, requests, transport }
}

async function queued({ entries }: Queue) {
  const db = new SomaDb(`queue-${v7()}`)
  await signIn(db, person('kofi', 'driver'))
  const ids = entries.map((_, at) => v7({ msecs: 1_700_000_000_000 + at }))
  const made = entries.map(({ lane, back }, at) => {
    const parent = back > 0 ? ids[at - back] : undefined
    return entryOf<OutboxEntry>({
      id: ids[at] ?? '',
      account: 'kofi',
      op: 'reportIssue',
      lane: `issue:${lane}`,
      input: { id: `d${lane}`, issue: `Issue ${at}`, type: 'driver_issue' },
      title: 'Laptop',
      occurredAt: '2026-11-21T10:00:00Z',
      after: parent ? [parent] : [],
    })
  })
  await db.outbox.bulkAdd(made as never[])
  return { db, made }
}

async function sent(queue: Queue, takesBatch: boolean) {
  const { db, made } = await queued(queue)
  const server = backend(takesBatch)
  let mostLeased = 0
  const context: SyncContext<SomaDb> = {
    db,
    cachePrefix: '',
    base: 'http://soma.test/api',
    traffic: createTrafficMeter(),
    transport: async (request) => {
      const leased = await db.outbox.where('state').equals('sending').count()
      mostLeased = Math.max(mostLeased, leased)
      return server.transport(request)
    },
    clock: realClock,
    waits: createWaits(realClock),
    random: () => 0.5,
    newId: v7,
    locks: createLocks(),
    holder: 'tab',
  }
  const drained = await drain(context, sendModel)
  const states = new Set((await db.outbox.toArray()).map(({ state }) => state))
  await db.delete()
  return { ...server, made, mostLeased, states, drained }
}

function expectRight(
  { effects, order, made, states, mostLeased, drained }: Awaited<ReturnType<typeof sent>>,
  count: number,
) {
  expect([...states]).toEqual(count === 0 ? [] : ['done'])
  expect(drained?.nextAt).toBeUndefined()
  expect([...effects.values()].filter((times) => times !== 1)).toEqual([])
  expect(effects.size).toBe(count)
  expect(mostLeased).toBeLessThanOrEqual(210)
  const place = new Map(order.map((key, at) => [key, at]))
  const last = new Map<string, number>()
  for (const { id, lane, after } of made) {
    const at = place.get(id) ?? -1
    expect(at).toBeGreaterThan(last.get(lane) ?? -1)
    last.set(lane, at)
    for (const parent of after) expect(at).toBeGreaterThan(place.get(parent) ?? Infinity)
  }
}

const queues = (most: number): fc.Arbitrary<Queue> =>
  fc
    .integer({ min: 1, max: most })
    .chain((count) =>
      fc.record({
        lanes: fc.integer({ min: 1, max: count }),
        entries: fc.array(fc.record({ lane: fc.nat({ max: count }), back: fc.nat({ max: 30 }) }), {
          minLength: count,
          maxLength: count,
          size: 'max',
        }),
      }),
    )
    .map(({ lanes, entries }) => ({
      lanes,
      entries: entries.map(({ lane, back }, at) => ({
        lane: lane % lanes,
        back: back > 3 || back > at ? 0 : back,
      })),
    }))

const alone = (count: number): Queue => ({
  lanes: count,
  entries: Array.from({ length: count }, (_, lane) => ({ lane, back: 0 })),
})

/** Sends `count` lanes of one entry each. */
export async function expectLanesSent(count: number, takesBatch: boolean): Promise<void> {
  const found = await sent(alone(count), takesBatch)
  expectRight(found, count)
  if (takesBatch && count > 0)
    expect(found.requests.length).toBeLessThanOrEqual(Math.ceil(count / batchSize) + 4)
}

/** Sends random queues. */
export const expectRandomSent = (takesBatch: boolean, numRuns: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(queues(120), async (queue) => {
      expectRight(await sent(queue, takesBatch), queue.entries.length)
    }),
    { numRuns, seed: 13 },
  )
