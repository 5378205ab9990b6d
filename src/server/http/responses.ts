import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { statusOf } from '#contract/errors.ts'
import { Refusal } from '#domain/errors.ts'
import { TooManyAttempts } from '../limits/rate-limits.ts'
import type { Log } from '../ports/ports.ts'

/** Nothing the API says is for a cache that is not the client's own: it holds what only one may see. */
const apiHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

export const jsonResponse = (status: number, body: object, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { ...apiHeaders, ...headers } })

/** Marks the answer to what was asked before and done once. */
export const replayedHeaders = { 'idempotent-replayed': 'true' }

/** The answer of a GET, or 304 when the asker holds it already. */
export function conditionalResponse(request: Request, body: object, material: string): Response {
  const etag = `"${bytesToHex(sha256(utf8ToBytes(material)).subarray(0, 16))}"`
  const held = request.headers.get('if-none-match')
  const same = held?.split(',').some((tag) => [etag, '*'].includes(tag.trim().replace(/^W\//, '')))
  if (!same) return jsonResponse(200, body, { etag })
  return new Response(null, { status: 304, headers: { etag, 'cache-control': 'no-store' } })
}

/** What a refusal says to the person and to code (interfaces: the wire). */
export const refusalBody = ({ message, reason }: Refusal) => ({ error: message, reason })

/** Anything thrown, as an answer. What is not a refusal is ours, and tells nothing of itself. */
export function errorResponse(error: unknown, log: Log, op: string): Response {
  const refusal = error instanceof Refusal ? error : new Refusal('internal')
  if (!(error instanceof Refusal)) log.error({ err: error, op }, 'A call failed')
  else if (refusal.reason === 'unavailable') log.warn({ err: error.cause, op }, 'Unavailable')
  const headers: Record<string, string> = {}
  if (refusal instanceof TooManyAttempts) headers['retry-after'] = `${refusal.retryAfter}`
  else if (refusal.reason === 'unavailable') headers['retry-after'] = '2'
  if (refusal.reason === 'no-session') headers['www-authenticate'] = 'Bearer'
  return jsonResponse(statusOf[refusal.reason], refusalBody(refusal), headers)
}
