import { isReason, type Reason, Refusal, reasonTexts } from '#domain/errors.ts'

/** The reasons whose HTTP status is not 409. */
const notConflicts: Partial<Record<Reason, number>> = {
  malformed: 400,
  invalid: 400,
  'too-large': 413,
  'not-an-image': 415,
  'not-json': 415,
  'cross-site': 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'key-reused': 422,
  'too-many': 429,
  internal: 500,
  unavailable: 503,
  update: 426,
  skipped: 424,
  lost: 410,
  'no-session': 401,
  moved: 401,
  'wrong-login': 401,
  'wrong-password': 403,
  'not-allowed': 403,
  unverified: 403,
  'not-a-driver': 403,
  'driver-not-approved': 403,
  suspended: 403,
  'second-factor': 403,
  support: 403,
  invitation: 404,
  'wrong-phone': 403,
  'wrong-code': 400,
  type: 400,
  'licence-expired': 403,
  'unknown-zone': 400,
  'same-zones': 400,
  'photo-not-hosted': 400,
  'id-photo-not-hosted': 400,
  'wrong-sms-code': 400,
}

/** The HTTP status of each reason (R76): 409 where what the server holds stands against the request. */
export const statusOf = Object.fromEntries(
  Object.keys(reasonTexts).map((reason) => [reason, notConflicts[reason as Reason] ?? 409]),
) as Record<Reason, number>

/** The server refused the request; sending it again changes nothing. */
export class Refused extends Refusal {
  readonly status: number
  constructor(status: number, reason: Reason, message: string) {
    super(reason, message)
    this.name = 'Refused'
    this.status = status
  }
}

/**
 * There is no final response: no connection, a time-out, a captive portal's page, or a status that asks
 * to retry later (S12). `status` when there was one; `retryAfter` in milliseconds. `isOurs`: it is marked as our
 * server's, which is there then; a gateway's is not.
 */
export class Unreachable extends Error {
  readonly status: number | undefined
  readonly retryAfter: number | undefined
  readonly isOurs: boolean
  /** What the caller may solve instead of waiting (R143). */
  readonly challenge: object | undefined
  constructor(
    message: string,
    about: {
      status?: number
      retryAfter?: number
      isOurs?: boolean
      challenge?: object
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: about.cause })
    this.name = 'Unreachable'
    this.status = about.status
    this.retryAfter = about.retryAfter
    this.isOurs = about.isOurs ?? false
    this.challenge = about.challenge
  }

  /** Our server named the time of the next try: nothing makes it sooner (S13). */
  get namesTime(): boolean {
    return this.isOurs && this.retryAfter !== undefined
  }
}

/** The server takes only newer versions of the app (426): everything waits for the update. */
export class UpdateRequired extends Unreachable {
  constructor(message: string) {
    super(message, { status: 426, isOurs: true })
    this.name = 'UpdateRequired'
  }
}

/** Our server responded in a form that this version cannot read: it is there, and an update may read it (S48). */
export class Unreadable extends Unreachable {
  readonly body: unknown
  constructor(status: number, cause: unknown, body?: unknown) {
    super('Update the app to see this.', { status, isOurs: true, cause })
    this.name = 'Unreadable'
    this.body = body
  }
}

const retryable4xx = new Set([408, 425, 429])

/** Whether a status asks to retry later (S12). A proxy in front of our server may send it too. */
export const isRetryableStatus = (status: number): boolean =>
  status >= 500 || retryable4xx.has(status)

/** What the headers of a failed response say. */
export type About = {
  /** Milliseconds. */
  retryAfter?: number
  /** Our server has marked it (`serverVersionHeader`). */
  isMarked?: boolean
}

/**
 * The error of a response that is not 2xx. Only a response that is recognisably ours is final: it names
 * one of our reasons with that reason's status, or it is marked, and then the reason may be of a newer
 * server. A gateway's own 403, 404 or 410 is no response (S12, S42).
 */
export function errorFrom(
  status: number,
  body: unknown,
  { retryAfter, isMarked = false }: About = {},
): Refused | Unreachable {
  const failure = (objectOr(body) ?? {}) as Record<string, unknown>
  const { error, reason } = failure
  const message = typeof error === 'string' && error !== '' ? error : 'API error'
  if (reason === 'update' && status === statusOf.update) return new UpdateRequired(message)
  const challenge = objectOr(failure.challenge)
  const unreachable = () =>
    new Unreachable(message, { status, retryAfter, isOurs: isMarked, challenge })
  if (isRetryableStatus(status)) return unreachable()
  // Taken later, under the same key (R205).
  if (reason === 'paused' && status === statusOf.paused)
    return new Unreachable(message, {
      status,
      retryAfter: retryAfter ?? timeUntil(failure.pausedUntil),
      isOurs: true,
    })
  if (isReason(reason) && statusOf[reason] === status) return new Refused(status, reason, message)
  if (isMarked && typeof reason === 'string')
    return new Refused(status, reasonOfStatus(status), message)
  return unreachable()
}

/** Milliseconds until a time in ISO 8601. */
function timeUntil(text: unknown): number | undefined {
  const at = typeof text === 'string' ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now())
}

const objectOr = (value: unknown) =>
  typeof value === 'object' && value !== null ? value : undefined

/** The reason that stands for one this version does not know. */
function reasonOfStatus(status: number): Reason {
  if (status === 409) return 'wrong-status'
  const found = Object.entries(statusOf).find(([, code]) => code === status)
  return found && Object.hasOwn(reasonTexts, found[0]) ? (found[0] as Reason) : 'invalid'
}
