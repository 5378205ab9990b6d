import type { Hono } from 'hono'
import type { BatchLine } from '#contract/batch.ts'
import { buildNumber, serverVersionHeader } from '#contract/version.ts'
import { fairQueue } from '../../limits/fair-queue.ts'
import type { Ports } from '../../ports/ports.ts'
import { personKey } from '../../ports/stores/request-store.ts'
import type { Calls } from '../dispatch.ts'
import { beginMeasurement, tracedCall } from '../measure.ts'
import { type Env, requestLog } from '../request-log.ts'
import { errorOutcome, toResponse } from '../responses.ts'
import { batchCaller } from './batch-caller.ts'
import { type CallFinder, callFinder } from './find-call.ts'
import { findStoredResponses, operationPerformer } from './perform.ts'
import { readBatch } from './read-batch.ts'
import { mostAtOnce, type Run, runOperations } from './run-operations.ts'

/**
 * Operations of all batches that run at once in this process. The pool has twelve connections, so single
 * calls always find some of them free.
 */
const mostInProcess = 8

const headers = {
  'content-type': 'application/x-ndjson',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
  [serverVersionHeader]: `${buildNumber}`,
}

/**
 * `POST /api/batch` (R88): runs each operation as its single call would run, and answers with a line for
 * each as soon as its outcome is durable (R89). `settled` resolves when no batch runs any more.
 */
export function batchRoute(app: Hono<Env>, ports: Ports, calls: Calls) {
  const { log, metrics } = ports
  const inTurn = fairQueue(mostInProcess)
  const running = new Set<Promise<void>>()
  let find: CallFinder | undefined

  app.post('/api/batch', async (c) => {
    const measurement = beginMeasurement(ports, tracedCall(c, 'batch'))
    try {
      const request = c.req.raw
      const operations = await readBatch(request)
      metrics?.batch(operations.length)
      // The server has all its routes by the time of its first batch.
      find ??= callFinder(app.routes)
      const context = {
        find,
        caller: batchCaller(ports, request.headers.get('authorization')),
        address: c.env?.address ?? 'unknown',
        userAgent: request.headers.get('user-agent'),
      }
      const stored = await measurement.run(() => findStoredResponses(ports, operations, context))
      // The database may be away: each operation then says so.
      const known = await context.caller.get().catch(() => undefined)
      const turnOf: [caller: string, most: number] = known?.actor
        ? [personKey(known.actor), 1]
        : [context.address, mostAtOnce]
      const { perform, refused } = operationPerformer(ports, calls, context, stored)
      const body = lineStream(async ({ say, isOver }) => {
        const run = measurement.run(() =>
          runOperations(operations, {
            known: (operation) => refused(operation, known?.actor),
            perform: (operation) =>
              inTurn(...turnOf, async () => (isOver() ? undefined : perform(operation))),
            say,
            isOver,
          }),
        )
        running.add(run)
        await run
        running.delete(run)
        measurement.end({ status: 200 })
      })
      return new Response(body, { headers })
    } catch (error) {
      const outcome = errorOutcome(error, requestLog(log, c), 'batch')
      measurement.end(outcome)
      return toResponse(outcome)
    }
  })

  return { settled: () => Promise.all(running) }
}

/**
 * The stream of the lines that `work` writes with `say`; it ends with the work. Lines of one turn of the event
 * loop are sent as one chunk, because each chunk costs about a packet. A slow client does not delay the work:
 * at most 100 lines are buffered. `isOver` is true once the client is gone.
 */
function lineStream(
  work: (to: Pick<Run, 'say' | 'isOver'>) => Promise<void>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let isOver = false
  return new ReadableStream<Uint8Array>({
    start(controller) {
      let lines = ''
      const flush = () => {
        if (lines !== '' && !isOver) controller.enqueue(encoder.encode(lines))
        lines = ''
      }
      const say = (line: BatchLine) => {
        if (lines === '') queueMicrotask(flush)
        lines += `${JSON.stringify(line)}\n`
      }
      // Nothing is awaited: a stream gives nothing to its reader before `start` has ended.
      void work({ say, isOver: () => isOver }).then(() => {
        flush()
        if (!isOver) controller.close()
      })
    },
    cancel() {
      isOver = true
    },
  })
}
