import type { MiddlewareHandler } from 'hono'
import { statusOf } from '#contract/wire-errors.ts'
import { Refusal } from '#domain/errors.ts'
import { jsonResponse, refusalBody } from './responses.ts'

/** Methods that change nothing; `OPTIONS` asks what another site may do. */
const reads = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses changes that a page of another site requests in its visitor's name (R148). Clients other than
 * browsers do not send the header and are served.
 */
export const refuseCrossSite: MiddlewareHandler = async (c, next) => {
  const isCrossSite = c.req.header('sec-fetch-site')?.toLowerCase() === 'cross-site'
  if (!isCrossSite || reads.has(c.req.method)) return next()
  return jsonResponse(statusOf['cross-site'], refusalBody(new Refusal('cross-site')))
}
