import type * as z from 'zod/mini'
import type { Endpoint } from '#operations/endpoint.ts'
import { challengeHeader, type Transport, withByteCount } from '../transport.ts'
import { buildNumber, clientVersionHeader, serverVersionHeader } from '../version.ts'
import {
  type About,
  errorFrom,
  isRetryableStatus,
  Unreachable,
  Unreadable,
} from '../wire-errors.ts'
import { normalizeNames } from './legacy-names.ts'

/** What one call sends; all of it is optional. */
export type CallInput = {
  /** Fills the parameter of the path: `:id`, `:key` or `:code`. */
  id?: string
  query?: Record<string, string | undefined>
  body?: unknown
  token?: string
  /** The request key: sent as `Idempotency-Key`. */
  key?: string
  /** ISO time: sent as `Occurred-At`. */
  occurredAt?: string
  /** Sent as `X-Challenge`: the solution of a challenge (R143). */
  proof?: string
  /** Sent as `If-None-Match`. */
  etag?: string
  signal?: AbortSignal
}

/** A successful response of a call with this line. */
export type LineResult<E extends Endpoint = Endpoint> = {
  status: number
  /** Missing when the status is 304: the caller's copy is still current. */
  value?: z.infer<E['response']>
  /** Rows of lists, and optional parts, that could not be read; the others are in `value`. */
  unreadable: unknown[]
  etag?: string
  /** The server's own time, milliseconds since 1970; nothing where it does not say. */
  date?: number
  /** Whether the server repeated a stored response to this request key (R70). */
  replayed: boolean
  /** Length of the decoded body, in characters. */
  bytes: number
}

/**
 * Makes one call of the table and reads its response with either spelling of the names (R87).
 * Throws `Refused` when the server refuses, `Unreachable` when there is no response from our server
 * (no connection, time-out, a redirect, a body that is not JSON) or it is 408, 425, 429 or 5xx (S12),
 * `Unreadable` when our server's response cannot be read as a whole (S48).
 */
export async function callLine<E extends Endpoint>(
  transport: Transport,
  base: string,
  endpoint: E,
  input: CallInput = {},
): Promise<LineResult<E>> {
  const response = await fetchResponse(transport, toRequest(endpoint, base, input))
  const common = {
    status: response.status,
    etag: response.headers.get('etag') ?? undefined,
    date: Date.parse(response.headers.get('date') ?? '') || undefined,
    replayed: response.headers.get('idempotent-replayed') === 'true',
  }
  // Asked without a tag, a 304 is no response of ours: a change would count as made.
  if (response.status === 304 && input.etag) return { ...common, unreadable: [], bytes: 0 }
  const { body, bytes } = await readBody(response)
  if (!response.ok) throw errorFrom(response.status, body, aboutOf(response))
  const { isMarked } = aboutOf(response)
  return {
    ...common,
    bytes,
    ...readResponse(endpoint, { status: response.status, body, isMarked }),
  }
}

/**
 * The body of a successful response, with either spelling of the names (R87). Throws `Unreachable` when it
 * is not ours, `Unreadable` when it is and cannot be read as a whole (S48).
 */
export function readResponse<E extends Endpoint>(
  endpoint: E,
  { status, body, isMarked }: { status: number; body: unknown; isMarked: boolean },
): Pick<LineResult<E>, 'unreadable' | 'value'> {
  const { value, unreadable, fault } = read(endpoint, body)
  if (!fault) return { unreadable, value: value as LineResult<E>['value'] }
  if (isMarked || hasMember(endpoint, body)) throw new Unreadable(status, fault, body)
  throw new Unreachable('Not our response', { cause: fault })
}

/** The path of a call below the base, with its ID. */
const pathOf = ({ path }: Pick<Endpoint, 'path'>, { id = '' }: CallInput): string =>
  path.replace(/:\w+/, encodeURIComponent(id))

/** As `pathOf`, with what the call asks for. */
export function pathWithQuery(endpoint: Pick<Endpoint, 'path'>, input: CallInput): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {}))
    if (value !== undefined && value !== '') query.set(name, value)
  // The oldest browsers know no `size` of it.
  const search = `${query}`
  return `${pathOf(endpoint, input)}${search && `?${search}`}`
}

function toRequest(endpoint: Endpoint, base: string, input: CallInput): Request {
  const path = pathWithQuery(endpoint, input)
  const headers = new Headers({
    accept: 'application/json',
    [clientVersionHeader]: `${buildNumber}`,
  })
  if (input.token) headers.set('authorization', `Bearer ${input.token}`)
  if (input.key) headers.set('idempotency-key', input.key)
  if (input.occurredAt) headers.set('occurred-at', input.occurredAt)
  if (input.proof) headers.set(challengeHeader, input.proof)
  if (input.etag) headers.set('if-none-match', input.etag)
  if (input.body !== undefined) headers.set('content-type', 'application/json')
  const body = input.body === undefined ? undefined : JSON.stringify(input.body)
  const request = new Request(`${base}${path}`, {
    method: endpoint.method,
    headers,
    body,
    signal: input.signal,
    // The engine stores ETags itself; a response from the browser's cache would look like the server's.
    cache: 'no-store',
  })
  return withByteCount(request, body?.length ?? 0)
}

export async function fetchResponse(transport: Transport, request: Request): Promise<Response> {
  let response: Response
  try {
    response = await transport(request)
  } catch (cause) {
    throw new Unreachable('No response', { cause })
  }
  if (response.redirected) throw new Unreachable('A redirected response')
  return response
}

/** A body that is not JSON comes from a captive portal or a proxy; only a proxy's retryable status counts (S12). */
export async function readBody(response: Response): Promise<{ body: unknown; bytes: number }> {
  try {
    const text = await response.text()
    return { body: JSON.parse(text), bytes: text.length }
  } catch (cause) {
    if (!isRetryableStatus(response.status)) throw new Unreachable('Not our response', { cause })
    const { retryAfter, isMarked: isOurs } = aboutOf(response)
    const { status } = response
    throw new Unreachable('Not our response', { status, retryAfter, isOurs, cause })
  }
}

/** A gateway's `Retry-After` counts for so long at most, milliseconds: it knows nothing of our server (S13). */
const longestOfGateway = 120_000

/** What an error of this response is made with, beside its status and body. */
export function aboutOf(response: Response): About & { isMarked: boolean } {
  const isMarked = response.headers.has(serverVersionHeader)
  const wait = retryAfterOf(response)
  const retryAfter = wait !== undefined && !isMarked ? Math.min(wait, longestOfGateway) : wait
  return { retryAfter, isMarked }
}

/** `Retry-After` in milliseconds, from seconds or from a date. */
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

type ReadBody = { value: unknown; unreadable: unknown[]; fault?: unknown }

/** Rows are read one by one: one of a newer server must not fail the others (S48). */
function read(endpoint: Endpoint, body: unknown): ReadBody {
  const normalized = normalizeNames(endpoint.response, envelope(endpoint, body)) as Record<
    string,
    unknown
  >
  const unreadable: unknown[] = []
  const value: Record<string, unknown> = {}
  const shape = endpoint.response.shape as Record<string, z.ZodMiniType>
  for (const [key, schema] of Object.entries(shape)) {
    const part = readPart(schema, normalized[key], unreadable)
    if (part.fault) return { value: undefined, unreadable, fault: part.fault }
    if (part.value !== undefined) value[key] = part.value
  }
  return { value, unreadable }
}

type Def = { type: string; element?: z.ZodMiniType; innerType?: z.ZodMiniType }
const defOf = (schema: z.ZodMiniType) => schema._zod.def as Def

function readPart(
  schema: z.ZodMiniType,
  found: unknown,
  unreadable: unknown[],
): { value?: unknown; fault?: unknown } {
  const { type, element, innerType } = defOf(schema)
  if (type === 'array' && element && Array.isArray(found)) {
    const value: unknown[] = []
    for (const row of found) {
      const parsed = element.safeParse(row)
      if (parsed.success) value.push(parsed.data)
      else unreadable.push(row)
    }
    return { value }
  }
  const parsed = schema.safeParse(found)
  if (parsed.success) return { value: parsed.data }
  const isExtra = type === 'optional' && innerType && defOf(innerType).type === 'object'
  if (!isExtra) return { fault: parsed.error }
  unreadable.push(found)
  return {}
}

/** A bare array or object becomes the member it stands for (R87). */
function envelope(endpoint: Endpoint, body: unknown): unknown {
  const { member, response } = endpoint
  if (typeof body !== 'object' || body === null) return {}
  if (Array.isArray(body)) return { [member]: body }
  if (hasMember(endpoint, body) || Object.keys(response.shape).length === 0) return body
  return { ...body, [member]: body }
}

const hasMember = ({ member }: Endpoint, body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  Object.keys(body).some((key) => key.toLowerCase() === member.toLowerCase())
