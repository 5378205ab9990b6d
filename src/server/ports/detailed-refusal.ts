import { type Reason, Refusal } from '#domain/errors.ts'

/** A refusal whose response says more than its reason. `retryAfter`: seconds, for the header. */
export class DetailedRefusal extends Refusal {
  readonly details: object
  readonly retryAfter: number | undefined
  constructor(reason: Reason, message: string, details: object, retryAfter?: number) {
    super(reason, message)
    this.details = details
    this.retryAfter = retryAfter
  }
}
