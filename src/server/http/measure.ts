import type { Context, MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import { TooManyAttempts } from '../limits/rate-limits.ts'
import type { Ports, TracedCall } from '../ports/ports.ts'
import type { Env } from './request-log.ts'
import type { Outcome } from './responses.ts'

type Measures = Pick<Ports, 'metrics' | 'tracing'>
type CallResult = { status: number; body?: object; limit?: string }

/** Measures one call from here to `end`: its metrics, and its span where traces are recorded. */
export function beginMeasurement({ metrics, tracing }: Measures, call: TracedCall) {
  const startedAt = performance.now()
  const span = tracing?.begin(call)
  return {
    /** Runs the work of the call; what it begins is part of its span. */
    run: <T>(work: () => T): T => (span ? span.run(work) : work()),
    end({ status, body, limit }: CallResult) {
      const reason = status >= 400 ? reasonIn(body) : undefined
      const outcome = { status, reason, limit }
      metrics?.answered(call.op, outcome, (performance.now() - startedAt) / 1000)
      span?.end(outcome)
    },
  }
}

/** Runs a call and measures it. */
export async function measured(
  ports: Measures,
  call: TracedCall,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  const measurement = beginMeasurement(ports, call)
  const outcome = await measurement.run(work)
  measurement.end(outcome)
  return outcome
}

/** What is measured of a request: nothing that names its caller. */
export const tracedCall = (c: Context<Env>, op: string): TracedCall => ({
  op,
  method: c.req.method,
  route: routePath(c),
  traceparent: c.env?.isFromProxy ? c.req.header('traceparent') : undefined,
})

/** Measures uploads and photos, which are not in the endpoint table. */
export function measurePhotos(ports: Measures): MiddlewareHandler<Env> {
  let uploads = 0
  const count = (by: number) => {
    uploads += by
    ports.metrics?.uploads(uploads)
  }
  return async (c, next) => {
    const isUpload = c.req.method === 'POST'
    if (!isUpload && c.req.method !== 'GET') return next()
    const op = isUpload ? 'uploadPhoto' : 'photo'
    const measurement = beginMeasurement(ports, { ...tracedCall(c, op), route: '/api/images/*' })
    if (isUpload) count(1)
    try {
      await measurement.run(next)
    } finally {
      if (isUpload) count(-1)
      const refusal = c.get('refusal')
      const limit = refusal instanceof TooManyAttempts ? refusal.limit : undefined
      measurement.end({ status: c.res.status, body: refusal, limit })
    }
  }
}

const reasonIn = (body: object | undefined): string | undefined =>
  body && 'reason' in body && typeof body.reason === 'string' ? body.reason : undefined
