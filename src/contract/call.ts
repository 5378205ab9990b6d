import type * as z from 'zod/mini'
import { type Endpoint, endpoints, type Op } from './endpoints.ts'
import { asksForPatience, errorFrom, Unreachable } from './errors.ts'
import { respell } from './legacy-names.ts'
import { type Transport, withByteCount } from './transport.ts'

export type Question = {
  /** Fills `:id` in the path. */
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

export type Answer<O extends Op> = {
  status: number
  /** Missing when the answer was 304: what the asker holds still stands. */
  value?: z.infer<(typeof endpoints)[O]['gives']>
  /** Rows of a list that could not be read; the others are in `value`. */
  spoiled: unknown[]
  etag?: string
  replayed: boolean
  /** Of the body, as it was decoded. */
  bytes: number
}

/**
 * Makes one call of the table and reads its answer in either spelling.
 * Throws `Refused` when the server said no, `Unreachable` when nobody who counts answered
 * (no connection, time-out, a redirected or non-JSON answer, 408, 425, 429, 5xx).
 */
export async function call<O extends Op>(
  transport: Transport,
  base: string,
  op: O,
  question: Question = {},
): Promise<Answer<O>> {
  const endpoint: Endpoint = endpoints[op]
  const response = await reach(transport, toRequest(endpoint, base, question))
  const common = {
    status: response.status,
    etag: response.headers.get('etag') ?? undefined,
    replayed: response.headers.get('idempotent-replayed') === 'true',
  }
  if (response.status === 304) return { ...common, spoiled: [], bytes: 0 }
  const { body, bytes } = await readBody(response)
  if (!response.ok) throw errorFrom(response.status, body, retryAfterOf(response))
  const { value, spoiled } = read(endpoint, body)
  return { ...common, bytes, spoiled, value: value as Answer<O>['value'] }
}

function toRequest(endpoint: Endpoint, base: string, question: Question): Request {
  const path = endpoint.path.replace(':id', encodeURIComponent(question.id ?? ''))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(question.query ?? {}))
    if (value !== undefined && value !== '') query.set(name, value)
  const headers = new Headers({ accept: 'application/json' })
  if (question.token) headers.set('authorization', `Bearer ${question.token}`)
  if (question.key) headers.set('idempotency-key', question.key)
  if (question.occurredAt) headers.set('occurred-at', question.occurredAt)
  if (question.etag) headers.set('if-none-match', question.etag)
  if (question.body !== undefined) headers.set('content-type', 'application/json')
  const body = question.body === undefined ? undefined : JSON.stringify(question.body)
  const request = new Request(`${base}${path}${query.size > 0 ? `?${query}` : ''}`, {
    method: endpoint.method,
    headers,
    body,
    signal: question.signal,
    // The browser's own cache must never answer for the server: ETags are ours to keep.
    cache: 'no-store',
  })
  return withByteCount(request, body?.length ?? 0)
}

async function reach(transport: Transport, request: Request): Promise<Response> {
  let response: Response
  try {
    response = await transport(request)
  } catch (cause) {
    throw new Unreachable('No answer', { cause })
  }
  if (response.redirected) throw new Unreachable('A redirected answer')
  return response
}

/** A page that is not JSON comes from a portal, or from a proxy whose status says what it could not reach. */
async function readBody(response: Response): Promise<{ body: unknown; bytes: number }> {
  try {
    const text = await response.text()
    return { body: JSON.parse(text), bytes: text.length }
  } catch (cause) {
    throw new Unreachable('Not our answer', {
      status: asksForPatience(response.status) ? response.status : undefined,
      retryAfter: retryAfterOf(response),
      cause,
    })
  }
}

/** `Retry-After` in milliseconds, from seconds or from a date. */
function retryAfterOf(response: Response): number | undefined {
  const text = response.headers.get('retry-after')
  if (!text) return undefined
  const seconds = Number(text)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(text)
  const served = Date.parse(response.headers.get('date') ?? '')
  return Number.isNaN(date)
    ? undefined
    : Math.max(0, date - (Number.isNaN(served) ? Date.now() : served))
}

function read(endpoint: Endpoint, body: unknown): { value: unknown; spoiled: unknown[] } {
  const respelt = respell(endpoint.gives, envelope(endpoint, body)) as Record<string, unknown>
  const spoiled: unknown[] = []
  const sound: unknown[] = []
  const rows = respelt[endpoint.member]
  const element = elementOf(endpoint)
  const isList = element !== undefined && Array.isArray(rows)
  if (isList)
    for (const row of rows) {
      const parsed = element.safeParse(row)
      if (parsed.success) sound.push(parsed.data)
      else spoiled.push(row)
    }
  // The rows were read one by one: a spoiled one must not spoil the others.
  const parsed = endpoint.gives.safeParse(isList ? { ...respelt, [endpoint.member]: [] } : respelt)
  if (!parsed.success) throw new Unreachable('Not our answer', { cause: parsed.error })
  const value = isList ? { ...parsed.data, [endpoint.member]: sound } : parsed.data
  return { value, spoiled }
}

/** A bare array or object becomes the member it stands for (interfaces: the wire). */
function envelope({ member, gives }: Endpoint, body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return {}
  if (Array.isArray(body)) return { [member]: body }
  const known = Object.keys(gives.shape).map((key) => key.toLowerCase())
  const hasMember = Object.keys(body).some((key) => key.toLowerCase() === member.toLowerCase())
  if (hasMember || known.length === 0) return body
  return { ...body, [member]: body }
}

function elementOf(endpoint: Endpoint): z.ZodMiniType | undefined {
  const shape = endpoint.gives.shape as Record<
    string,
    { _zod: { def: { type: string; element?: z.ZodMiniType } } }
  >
  const def = shape[endpoint.member]?._zod.def
  return def?.type === 'array' ? def.element : undefined
}
