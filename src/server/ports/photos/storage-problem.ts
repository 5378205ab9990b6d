import { Refusal } from '#domain/errors.ts'

/** Why the photo storage takes no photos. */
export type StorageProblem = {
  /** A few words that may be shown to anybody (`/readyz`). */
  reason: string
  /** One line for the operator. It names the bucket and its address, never a key. */
  line: string
  /** Whether it lasts until the operator changes a setting or the bucket. */
  isPermanent: boolean
}

/** Seconds after which a client tries again. */
const retryAfterSeconds = 15

/** Answered with 503: the photo storage cannot be used just now. */
export class StorageUnavailable extends Refusal {
  readonly retryAfter = retryAfterSeconds
  readonly problem: StorageProblem
  constructor(problem: StorageProblem, cause?: unknown) {
    super('unavailable', 'Photos cannot be stored or shown just now. Please try again later.')
    this.problem = problem
    this.cause = cause
  }
}
