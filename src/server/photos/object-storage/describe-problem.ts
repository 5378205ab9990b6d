import type { StorageProblem } from '../../ports/photos/storage-problem.ts'
import type { ObjectStorageSettings } from './settings.ts'

/** How a request failed. */
export type Failure = {
  /** What was to be done with the bucket. */
  action: 'write to' | 'read from' | 'list' | 'delete from'
  /** Of the last response; missing when there was none. */
  status?: number
  /** The error code of S3 (`NoSuchBucket`) or of the connection (`ECONNREFUSED`). */
  code?: string
}

type Place = Pick<ObjectStorageSettings, 'endpoint' | 'bucket'>
type Sentence = (place: Place, failure: Failure) => string

const refusedKey: Sentence = ({ endpoint }, { code }) =>
  `The object storage at ${endpoint} refused the key in S3_ACCESS_KEY and S3_SECRET_KEY (${code}).`

/** By S3's own code. All of them last until the operator changes something. */
const sentences: Record<string, Sentence> = {
  NoSuchBucket: ({ endpoint, bucket }) => `The bucket “${bucket}” at ${endpoint} does not exist.`,
  InvalidAccessKeyId: refusedKey,
  SignatureDoesNotMatch: refusedKey,
  AccessDenied: ({ endpoint, bucket }, { action }) =>
    `The key in S3_ACCESS_KEY may not ${action} the bucket “${bucket}” at ${endpoint}.`,
  AuthorizationHeaderMalformed: ({ endpoint, bucket }) =>
    `The bucket “${bucket}” at ${endpoint} is in another region: set S3_REGION.`,
  PermanentRedirect: ({ endpoint, bucket }) =>
    `The bucket “${bucket}” is not at ${endpoint}: set S3_ENDPOINT and S3_REGION.`,
}

const reasons: Record<string, string> = {
  NoSuchBucket: 'bucket missing',
  InvalidAccessKeyId: 'key refused',
  SignatureDoesNotMatch: 'key refused',
  AccessDenied: 'access denied',
}

/** Why a request failed. The SDK's errors have S3's codes as names; connection errors have Node's codes. */
export function failureOf(action: Failure['action'], error: unknown): Failure {
  const { name, $metadata, code, cause } = error as {
    name?: string
    $metadata?: { httpStatusCode?: number }
    code?: unknown
    cause?: unknown
  }
  const status = $metadata?.httpStatusCode
  if (status !== undefined) return { action, status, code: name === 'Unknown' ? undefined : name }
  if (typeof code === 'string' && /^E[A-Z_]{3,40}$/.test(code)) return { action, code }
  if (cause instanceof Error) return failureOf(action, cause)
  return { action, code: /^(Abort|Timeout)Error$/.test(name ?? '') ? 'ETIMEDOUT' : undefined }
}

/** Describes a failure for the operator. Of the request it names the action only. */
export function describeProblem(place: Place, failure: Failure): StorageProblem {
  const { status, action } = failure
  const code = codeOf(failure)
  const sentence = sentences[code]
  if (sentence) {
    const line = sentence(place, { ...failure, code })
    return { reason: reasons[code] ?? 'storage misconfigured', line, isPermanent: true }
  }
  const detail = code ? ` (${code})` : ''
  if (status === undefined) {
    const line = `The object storage at ${place.endpoint} cannot be reached${detail}.`
    return { reason: 'storage unreachable', line, isPermanent: false }
  }
  return {
    reason: 'storage failing',
    line: `The object storage at ${place.endpoint} answered ${status}${detail} to a request to ${action} the bucket “${place.bucket}”.`,
    isPermanent: false,
  }
}

/** S3 names the reason in its body, which the response to a HEAD or a redirect may lack. */
function codeOf({ status, code }: Failure): string {
  if (code) return code
  if (status === 403) return 'AccessDenied'
  if (status !== undefined && status >= 300 && status < 400) return 'PermanentRedirect'
  return ''
}
