import type { MiddlewareHandler } from 'hono'
import { clientVersionHeader } from '#contract/version.ts'
import { statusOf } from '#contract/wire-errors.ts'
import { Refusal } from '#domain/errors.ts'
import { jsonResponse, refusalBody } from './responses.ts'

/**
 * What an old app must still reach: the required version, the event stream (it would reconnect again and
 * again), and logout.
 */
const servedToAll = new Set(['GET /api/config', 'GET /api/events', 'POST /api/logout'])

/** The build number that a request names; nothing when there is none or it is no integer. */
export function clientVersion(headers: Headers): number | undefined {
  const text = headers.get(clientVersionHeader)?.trim() ?? ''
  return /^-?\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** Answers 426 to apps below `minimum` before anything of their call is done (R90). */
export const refuseOldClients =
  (minimum: number): MiddlewareHandler =>
  async (c, next) => {
    const version = clientVersion(c.req.raw.headers)
    const isServed = servedToAll.has(`${c.req.method} ${c.req.path}`)
    if (version === undefined || version >= minimum || isServed) return next()
    return jsonResponse(statusOf.update, refusalBody(new Refusal('update')))
  }
