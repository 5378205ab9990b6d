import type { Context, MiddlewareHandler } from 'hono'
import { requestId } from 'hono/request-id'
import { routePath } from 'hono/route'
import type { Refusal } from '#domain/errors.ts'
import type { Log } from '../ports/ports.ts'
import { isUuid } from './idempotency/idempotency.ts'

/** What Hono carries with a request: from the runtime (`Bindings`) and from middleware (`Variables`). */
export type Env = {
  Bindings: {
    address?: string
    /** Whether the connection is that of a proxy in `TRUST_PROXY`. */
    isFromProxy?: boolean
  }
  Variables: {
    requestId: string
    /** Why a route outside the endpoint table refused the request. */
    refusal?: Refusal
  }
}

const headerName = 'X-Request-Id'

/**
 * Gives every request an ID. A caller's `X-Request-Id` is taken only when it is a UUID, because the log
 * may hold no text of a caller's choice; `newId` makes the others.
 */
export const identifyRequest = (newId: () => string): MiddlewareHandler<Env> =>
  requestId({
    // Without a header name the library leaves the caller's ID to the generator.
    headerName: '',
    generator: (c) => {
      const sent = c.req.header(headerName)
      return sent !== undefined && isUuid(sent) ? sent.toLowerCase() : newId()
    },
  })

/** Puts the request's ID on its response, also where a handler made the response itself. */
export const sendRequestId: MiddlewareHandler<Env> = async (c, next) => {
  await next()
  c.res.headers.set(headerName, c.get('requestId'))
}

/** The log, with the request's ID, method and route pattern in every line. */
export const requestLog = (log: Log, c: Context<Env>): Log =>
  logWith(log, { request: c.get('requestId'), method: c.req.method, route: routePath(c) })

/** The log, with these details in every line. */
export const logWith = (
  log: Log,
  details: { request: string; method: string; route: string },
): Log => ({
  info: (about, message) => log.info({ ...details, ...about }, message),
  warn: (about, message) => log.warn({ ...details, ...about }, message),
  error: (about, message) => log.error({ ...details, ...about }, message),
})
