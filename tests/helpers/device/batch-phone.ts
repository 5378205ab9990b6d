import { v7 } from 'uuid'
import type { OperationName } from '#operations/index.ts'
import { sendModel } from '#store/model/requests.ts'
import { SomaDb } from '#store/soma-db.ts'
import type { OutboxEntry } from '#sync/database/entry.ts'
import { entryOf } from '#sync/outbox/enqueue.ts'
import { createWaits } from '#sync/outbox/waits.ts'
import type { SyncContext } from '#sync/platform/context.ts'
import { createTrafficMeter } from '#sync/platform/traffic-meter.ts'
import { drain } from '#sync/push/sender.ts'
import { person, signIn } from './device.ts'
import { createClock, createLocks } from './phone.ts'

export type BatchOperation = { key: string; method: string; path: string; after?: string[] }
type Line = { key: string; status: number; body: unknown; retryAfter?: number }

export const fine = ({ key }: BatchOperation): Line => ({
  key,
  status: 201,
  body: { dispute: { ID: key, DeliveryID: key, issue: 'x' } },
})

export const textOf = (lines: readonly Line[]) =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('')

export const stream = (body: BodyInit) =>
  new Response(body, { headers: { 'content-type': 'application/x-ndjson' } })

/** A phone with a queue, and a backend that answers batches as told. */
export async function batchPhone(
  ops: [OperationName, object, { lane?: string; after?: number[] }?][],
) {
  const db = new SomaDb(`batch-${v7()}`)
  const clock = createClock()
  await signIn(db, person('kofi', 'driver'))
  const ids = ops.map(() => v7())
  const entries = ops.map(([op, input, { lane, after = [] } = {}], at) =>
    entryOf<OutboxEntry>({
      id: ids[at] ?? '',
      account: 'kofi',
      op,
      lane: lane ?? `lane ${at}`,
      input,
      title: 'Laptop',
      occurredAt: '2026-11-21T10:00:00Z',
      after: after.map((each) => ids[each] ?? ''),
    }),
  )
  await db.outbox.bulkAdd(entries as never[])
  const batches: BatchOperation[][] = []
  const singles: string[] = []
  let answer: (operations: BatchOperation[]) => Response | Promise<Response> = (operations) =>
    stream(textOf(operations.map(fine)))
  let answerSingle: (key: string) => Response | Promise<Response> = (key: string): Response =>
    Response.json(fine({ key, method: '', path: '' }).body, { status: 201 })
  let answersReads = false
  const context: SyncContext<SomaDb> = {
    db,
    cachePrefix: '',
    base: 'http://soma.test/api',
    traffic: createTrafficMeter(),
    transport: async (request) => {
      if (request.url.endsWith('/batch')) {
        const { operations } = (await request.json()) as { operations: BatchOperation[] }
        batches.push(operations)
        return answer(operations)
      }
      if (request.method === 'GET') {
        if (!answersReads) throw new TypeError('Failed to fetch')
        return Response.json({ imageUploadUrl: '', imageUploadPreset: '', imageHost: '' })
      }
      const key = request.headers.get('idempotency-key') ?? ''
      singles.push(key)
      return answerSingle(key)
    },
    clock,
    waits: createWaits(clock),
    random: () => 0.5,
    newId: v7,
    locks: createLocks(),
    holder: 'tab',
  }
  const states = async () =>
    (await db.outbox.toArray()).map(({ state, error }) =>
      error ? `${state} ${error.reason}` : state,
    )
  return {
    db,
    clock,
    ids,
    batches,
    singles,
    states,
    answerWith: (next: typeof answer) => {
      answer = next
    },
    /** The line for each operation of a batch, which is fine where it is left out. */
    answerEachWith: (
      line: (operation: BatchOperation, at: number) => Omit<Line, 'key'> | undefined,
    ) => {
      answer = (operations) =>
        stream(textOf(operations.map((each, at) => ({ ...fine(each), ...line(each, at) }))))
    },
    /** From now on the backend answers what changes nothing. */
    answerReads: () => {
      answersReads = true
    },
    answerSinglesWith: (next: typeof answerSingle) => {
      answerSingle = next
    },
    drain: (more?: Partial<SyncContext<SomaDb>>) =>
      drain(more ? { ...context, ...more } : context, sendModel),
  }
}

export const issue = (at: number): [OperationName, object] => [
  'reportIssue',
  { id: `d${at}`, issue: `Issue ${at}`, type: 'driver_issue' },
]
export const issues = (count: number) => Array.from({ length: count }, (_, at) => issue(at))
