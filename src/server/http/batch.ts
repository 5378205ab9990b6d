import type { Hono } from 'hono'
import { type BatchLine, type BatchOperation, BatchRequest, mayBeInBatch } from '#contract/batch.ts'
import { type Endpoint, endpoints, type Op } from '#contract/endpoints.ts'
import { statusOf } from '#contract/errors.ts'
import { Refusal } from '#domain/errors.ts'
import type { Ports } from '../ports/ports.ts'
import { readInput } from './read-request.ts'
import { type Env, requestLog } from './request-log.ts'
import { batchHeaders, errorResponse, refusalBody } from './responses.ts'

/** The most bytes of a whole batch. */
const mostBytes = 1_048_576
/** Operations of one batch at work at once: the pool is for everybody. */
const atOnce = 6

/** Makes the single call of an operation; never rejects. */
export type MakeCall = (
  op: Op,
  rowId: string,
  request: Request,
  address: string,
) => Promise<Response>

/**
 * `POST /api/batch` (R88): up to 100 calls in one request, each as its single call would be, each in a
 * transaction of its own. The answer is a line for each, sent as soon as its outcome is durable.
 */
export function batchRoute(app: Hono<Env>, { log }: Ports, makeCall: MakeCall): void {
  app.post('/api/batch', async (c) => {
    const batchLog = requestLog(log, c)
    try {
      const { operations } = (await readInput({ body: BatchRequest }, c.req.raw, mostBytes)) as {
        operations: BatchOperation[]
      }
      const batch = inOrder(operations)
      const address = c.env?.address ?? 'unknown'
      const run = (operation: BatchOperation) => lineOf(operation, c.req.raw, address, makeCall)
      return new Response(stream(batch, run, c.req.raw.signal), { headers: batchHeaders })
    } catch (error) {
      return errorResponse(error, batchLog, 'batch')
    }
  })
}

/** An operation, its key in lower case, and the keys of the others it waits for. */
type Waiting = { operation: BatchOperation; key: string; parents: string[] }

/** Each key once, and no operation that waits for itself. Refusal: invalid. */
function inOrder(operations: readonly BatchOperation[]): Waiting[] {
  const keys = new Set(operations.map(({ key }) => key.toLowerCase()))
  if (keys.size < operations.length)
    throw new Refusal('invalid', 'Each operation of a batch needs a key of its own.')
  const batch = operations.map((operation) => ({
    operation,
    key: operation.key.toLowerCase(),
    // What is not in the batch went before it.
    parents: (operation.after ?? []).map((key) => key.toLowerCase()).filter((key) => keys.has(key)),
  }))
  if (hasCycle(batch))
    throw new Refusal('invalid', 'The operations of a batch wait for one another.')
  return batch
}

function hasCycle(batch: readonly Waiting[]): boolean {
  const done = new Set<string>()
  let left = [...batch]
  for (let before = -1; before !== left.length; ) {
    before = left.length
    left = left.filter(({ key, parents }) => {
      const isFree = parents.every((each) => done.has(each))
      if (isFree) done.add(key)
      return !isFree
    })
  }
  return left.length > 0
}

/**
 * The lines of a batch. Operations with no unfinished parent run side by side; nothing is begun once the
 * client is gone.
 */
function stream(
  batch: readonly Waiting[],
  run: (operation: BatchOperation) => Promise<BatchLine>,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const outcomes = new Map<string, boolean>()
  let waiting = [...batch]
  let running = 0
  let isGone = false
  signal.addEventListener('abort', () => {
    isGone = true
  })
  return new ReadableStream({
    start(controller) {
      function finish(line: BatchLine) {
        outcomes.set(line.key.toLowerCase(), line.status < 400)
        if (!isGone) controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`))
      }

      function advance() {
        if (isGone) return
        const free: BatchOperation[] = []
        let settled = true
        while (settled) {
          settled = false
          waiting = waiting.filter(({ operation, parents }) => {
            // No line before its parents' lines, a skipped one's neither.
            if (!parents.every((key) => outcomes.has(key))) return true
            if (parents.some((key) => outcomes.get(key) === false)) {
              finish(skippedLine(operation))
              settled = true
              return false
            }
            if (running + free.length >= atOnce) return true
            free.push(operation)
            return false
          })
        }
        for (const operation of free) begin(operation)
        if (running === 0 && waiting.length === 0) controller.close()
      }

      function begin(operation: BatchOperation) {
        running++
        void run(operation).then((line) => {
          running--
          finish(line)
          advance()
        })
      }

      advance()
    },
    cancel() {
      isGone = true
    },
  })
}

const skippedLine = ({ key }: BatchOperation): BatchLine => refusedLine(key, new Refusal('skipped'))

const refusedLine = (key: string, refusal: Refusal): BatchLine => ({
  key,
  status: statusOf[refusal.reason],
  body: refusalBody(refusal),
})

/** What the single call of an operation says. */
async function lineOf(
  operation: BatchOperation,
  batch: Request,
  address: string,
  makeCall: MakeCall,
): Promise<BatchLine> {
  const { key } = operation
  const call = callOf(operation)
  if (call instanceof Refusal) return refusedLine(key, call)
  const response = await makeCall(call.op, call.rowId, requestOf(operation, batch), address)
  const retryAfter = response.headers.get('retry-after')
  return {
    key,
    status: response.status,
    body: await response.json(),
    retryAfter: retryAfter === null ? undefined : Number(retryAfter),
  }
}

type Route = { op: Op; method: string; pattern: RegExp }

const routes: Route[] = (Object.keys(endpoints) as Op[]).map((op) => {
  const { method, path }: Endpoint = endpoints[op]
  return { op, method, pattern: new RegExp(`^${path.replace(':id', '([^/?#]+)')}$`) }
})

/** The call of the endpoint table that an operation names, and its row. */
function callOf({ method, path }: BatchOperation): { op: Op; rowId: string } | Refusal {
  const ofPath = routes.filter(({ pattern }) => pattern.test(path))
  const route = ofPath.find((each) => each.method === method)
  if (!route) return new Refusal(ofPath.length > 0 ? 'method-not-allowed' : 'not-found')
  if (!mayBeInBatch(route.op)) return new Refusal('invalid', 'This call cannot be part of a batch.')
  const rowId = route.pattern.exec(path)?.[1] ?? ''
  try {
    return { op: route.op, rowId: decodeURIComponent(rowId) }
  } catch {
    return new Refusal('not-found')
  }
}

/** The request of the single call: the batch's token and device, the operation's own key, time and body. */
function requestOf({ key, method, path, body, occurredAt }: BatchOperation, batch: Request) {
  const headers = new Headers({ 'content-type': 'application/json', 'idempotency-key': key })
  for (const name of ['authorization', 'user-agent']) {
    const value = batch.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  if (occurredAt !== undefined) headers.set('occurred-at', occurredAt.slice(0, 41))
  const url = new URL(batch.url)
  url.pathname = url.pathname.replace(/\/batch$/, path)
  url.search = ''
  return new Request(url, {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
  })
}
