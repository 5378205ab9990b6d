import type * as z from 'zod/mini'
import { type Endpoint, endpoints, type Op } from './endpoints.ts'
import { errorFrom, isRetryableStatus, Unreachable } from './errors.ts'
import { normalizeNames } from './legacy-names.ts'
import { type Transport, withByteCount } from './transport.ts'
import { buildNumber, clientVersionHeader, serverVersionHeader } from './version.ts'

/** What one call sends; all of it is optional. */
export type CallInput = {
  /** Fills the parameter of the path: `:id` or `:code`. */
  id?: string
  query?: Record<string, string | undefined>
  body?: unknown
  token?: string
  /** The request key: sent as `Idempotency-Key`. */
  key?: string
  /** ISO time: sent as `Occurred-At`. */
  occurredAt?: string
  /** Sent as `If-None-Match`. */
  etag?: string
  signal?: AbortSignal
}

/** A successful response. */
export type CallResult<O extends Op> = {
  status: number
  /** Missing when the status is 304: the caller's copy is still current. */
  value?: z.infer<(typeof endpoints)[O]['response']>
  /** Rows of a list that could not be read; the others are in `value`. */
  unreadable: unknown[]
  etag?: string
  /** Whether the server repeated a stored response to this request key (R70). */
  replayed: boolean
  /** Length of the decoded body, in characters. */
  bytes: number
}

/**
 * Makes one call of the table and reads its response with either spelling of the names (R87).
 * Throws `Refused` when the server refuses, `Unreachable` when there is no response from our server
 * (no connection, time-out, a redirect, a body that is not JSON) or it is 408, 425, 429 or 5xx (S12).
 */
export async function call<O extends Op>(
  transport: Transport,
  base: string,
  op: O,
  input: CallInput = {},
): Promise<CallResult<O>> {
  const endpoint: Endpoint = endpoints[op]
  const response = await fetchResponse(transport, toRequest(endpoint, base, input))
  const common = {
    status: response.status,
    etag: response.headers.get('etag') ?? undefined,
    replayed: response.headers.get('idempotent-replayed') === 'true',
  }
  if (response.status === 304) return { ...common, unreadable: [], bytes: 0 }
  const { body, bytes } = await readBody(response)
  if (!response.ok) {
    const isMarked = response.headers.has(serverVersionHeader)
    throw errorFrom(response.status, body, { retryAfter: retryAfterOf(response), isMarked })
  }
  const { value, unreadable } = read(endpoint, body)
  return { ...common, bytes, unreadable, value: value as CallResult<O>['value'] }
}

function toRequest(endpoint: Endpoint, base: string, input: CallInput): Request {
  const path = endpoint.path.replace(/:\w+/, encodeURIComponent(input.id ?? ''))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {}))
    if (value !== undefined && value !== '') query.set(name, value)
  const headers = new Headers({
    accept: 'application/json',
    [clientVersionHeader]: `${buildNumber}`,
  })
  if (input.token) headers.set('authorization', `Bearer ${input.token}`)
  if (input.key) headers.set('idempotency-key', input.key)
  if (input.occurredAt) headers.set('occurred-at', input.occurredAt)
  if (input.etag) headers.set('if-none-match', input.etag)
  if (input.body !== undefined) headers.set('content-type', 'application/json')
  const body = input.body === undefined ? undefined : JSON.stringify(input.body)
  const request = new Request(`${base}${path}${query.size > 0 ? `?${query}` : ''}`, {
    method: endpoint.method,
    headers,
    body,
    signal: input.signal,
    // The engine stores ETags itself; a response from the browser's cache would look like the server's.
    cache: 'no-store',
  })
  return withByteCount(request, body?.length ?? 0)
}

async function fetchResponse(transport: Transport, request: Request): Promise<Response> {
  let response: Response
  try {
    response = await transport(request)
  } catch (cause) {
    throw new Unreachable('No answer', { cause })
  }
  if (response.redirected) throw new Unreachable('A redirected answer')
  return response
}

/** A body that is not JSON comes from a captive portal or a proxy; only a proxy's retryable status counts (S12). */
async function readBody(response: Response): Promise<{ body: unknown; bytes: number }> {
  try {
    const text = await response.text()
    return { body: JSON.parse(text), bytes: text.length }
  } catch (cause) {
    throw new Unreachable('Not our answer', {
      status: isRetryableStatus(response.status) ? response.status : undefined,
      retryAfter: retryAfterOf(response),
      cause,
    })
  }
}

/** `Retry-After` in milliseconds, from seconds or from a date (S13). */
function retryAfterOf(response: Response): number | undefined {
  const text = response.headers.get('retry-after')
  if (!text) return undefined
  const seconds = Number(text)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(text)
  // The phone's clock may be wrong: the server's `Date` header comes first.
  const servedAt = Date.parse(response.headers.get('date') ?? '')
  return Number.isNaN(date)
    ? undefined
    : Math.max(0, date - (Number.isNaN(servedAt) ? Date.now() : servedAt))
}

function read(endpoint: Endpoint, body: unknown): { value: unknown; unreadable: unknown[] } {
  const normalized = normalizeNames(endpoint.response, envelope(endpoint, body)) as Record<
    string,
    unknown
  >
  const unreadable: unknown[] = []
  const readable: unknown[] = []
  const rows = normalized[endpoint.member]
  const element = elementOf(endpoint)
  const isList = element !== undefined && Array.isArray(rows)
  if (isList)
    for (const row of rows) {
      const parsed = element.safeParse(row)
      if (parsed.success) readable.push(parsed.data)
      else unreadable.push(row)
    }
  // The rows were read one by one: an unreadable row must not fail the others.
  const parsed = endpoint.response.safeParse(
    isList ? { ...normalized, [endpoint.member]: [] } : normalized,
  )
  if (!parsed.success) throw new Unreachable('Not our answer', { cause: parsed.error })
  const value = isList ? { ...parsed.data, [endpoint.member]: readable } : parsed.data
  return { value, unreadable }
}

/** A bare array or object becomes the member it stands for (R87). */
function envelope({ member, response }: Endpoint, body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return {}
  if (Array.isArray(body)) return { [member]: body }
  const known = Object.keys(response.shape).map((key) => key.toLowerCase())
  const hasMember = Object.keys(body).some((key) => key.toLowerCase() === member.toLowerCase())
  if (hasMember || known.length === 0) return body
  return { ...body, [member]: body }
}

function elementOf(endpoint: Endpoint): z.ZodMiniType | undefined {
  const shape = endpoint.response.shape as Record<
    string,
    { _zod: { def: { type: string; element?: z.ZodMiniType } } }
  >
  const def = shape[endpoint.member]?._zod.def
  return def?.type === 'array' ? def.element : undefined
}
