import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { buildNumber, serverVersionHeader } from '#contract/version.ts'
import { statusOf } from '#contract/wire-errors.ts'
import { type Reason, Refusal } from '#domain/errors.ts'
import { Suspended } from '#domain/users/standing/suspension.ts'
import { TooManyAttempts } from '../limits/rate-limits.ts'
import { DetailedRefusal } from '../ports/detailed-refusal.ts'
import type { Log } from '../ports/ports.ts'

/** No cache keeps a response of the API: it holds what one person may see. */
const apiHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  [serverVersionHeader]: `${buildNumber}`,
}

/** The result of a call, before it becomes a response or a line of a batch. */
export type Outcome = {
  status: number
  /** Missing when the caller's copy is still current (304). */
  body?: object
  headers?: Record<string, string>
  /** The name of the limit that refused it. */
  limit?: string
}

/** A response of the API. */
export const jsonResponse = (status: number, body: object, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { ...apiHeaders, ...headers } })

/** The response to a call that was made by a request of its own. */
export const toResponse = ({ status, body, headers }: Outcome): Response =>
  body ? jsonResponse(status, body, headers) : emptyResponse(status, headers)

/**
 * The response to a call that reads. It may be compressed: responses that hold a new secret beside
 * something the caller chose (a login, a guest's create) come from calls that change something (R91).
 */
export function toReadResponse({ status, body, headers }: Outcome): Response {
  if (!body) return emptyResponse(status, headers)
  const text = JSON.stringify(body)
  const response = new Response(text, { status, headers: { ...apiHeaders, ...headers } })
  if (text.length >= minCompressed) compressibleTexts.set(response, text)
  return response
}

const emptyResponse = (status: number, headers?: Record<string, string>) =>
  new Response(null, { status, headers: { ...headers, 'cache-control': 'no-store' } })

/** Characters below which compression saves no packet. */
const minCompressed = 1_000

/** The bodies of long responses that may be compressed, so that they need not be read back. */
const compressibleTexts = new WeakMap<Response, string>()

/** The body of a response that is worth compressing and may be compressed. */
export const compressibleText = (response: Response): string | undefined =>
  compressibleTexts.get(response)

/** Marks a repeated response (R70). */
export const replayedHeaders = { 'idempotent-replayed': 'true' }

/**
 * The response of a GET, or 304 when `heldTags` (the `If-None-Match` header) names it. Its ETag is a hash
 * of `material`.
 */
export function conditionalOutcome(
  heldTags: string | null,
  body: object,
  material: string,
): Outcome {
  const etag = `"${bytesToHex(sha256(utf8ToBytes(material)).subarray(0, 16))}"`
  const isHeld = heldTags
    ?.split(',')
    .some((tag) => [etag, '*'].includes(tag.trim().replace(/^W\//, '')))
  return isHeld ? { status: 304, headers: { etag } } : { status: 200, body, headers: { etag } }
}

/** The body of a refused call: a sentence for the person, a reason for the client. */
export function refusalBody(refusal: Refusal): {
  error: string
  reason: Reason
  challenge?: object
  until?: string
} {
  if (refusal instanceof DetailedRefusal)
    return { error: refusal.message, reason: refusal.reason, ...refusal.details }
  const { message: error, reason } = refusal
  const challenge = refusal instanceof TooManyAttempts ? refusal.challenge : undefined
  const until = refusal instanceof Suspended ? refusal.until : undefined
  return { error, reason, ...(challenge && { challenge }), ...(until && { until }) }
}

/** Anything thrown, as a response. See `errorOutcome`. */
export const errorResponse = (error: unknown, log: Log, op: string): Response =>
  toResponse(errorOutcome(error, log, op))

/**
 * The outcome for anything thrown. What is not a refusal is a defect: it is logged and becomes a plain 500.
 * `log` is that of the request.
 */
export function errorOutcome(error: unknown, log: Log, op: string): Outcome {
  const refusal = error instanceof Refusal ? error : new Refusal('internal')
  if (!(error instanceof Refusal))
    log.error({ err: error, op }, 'A call failed and was answered with 500')
  else if (refusal.reason === 'unavailable')
    log.warn({ err: error.cause, op }, 'A call was answered with 503; its client tries again')
  const headers: Record<string, string> = {}
  if (refusal instanceof TooManyAttempts) headers['retry-after'] = `${refusal.retryAfter}`
  else if (refusal instanceof DetailedRefusal && refusal.retryAfter !== undefined)
    headers['retry-after'] = `${refusal.retryAfter}`
  else if (refusal.reason === 'unavailable') headers['retry-after'] = '2'
  if (refusal.reason === 'no-session') headers['www-authenticate'] = 'Bearer'
  const limit = refusal instanceof TooManyAttempts ? refusal.limit : undefined
  return { status: statusOf[refusal.reason], body: refusalBody(refusal), headers, limit }
}
