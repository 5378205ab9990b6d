import { Refused, Unreachable, UpdateRequired } from '#contract/wire-errors.ts'

/** After so many requests in a row without a response, there is no network worth the name. */
const giveUpAfter = 3

/** Stops a drain when the server does not respond, refuses the token, or takes only newer builds. */
export class CircuitBreaker {
  /** Whether our server responded last; nothing when nobody was asked. */
  reached: boolean | undefined
  /** The server takes only newer builds (S48). */
  isTooOld = false
  /** A token was refused (S14), and no turn has written it yet. */
  isTokenDead = false
  private silentInARow = 0

  /** A request that changes nothing has shown whether there is a network (S40). */
  noteProbe(isThere: boolean): void {
    this.reached = isThere
    if (!isThere) this.silentInARow = giveUpAfter
  }

  /** Our server has responded to the whole of a request. */
  noteResponse(): void {
    this.reached = true
    this.silentInARow = 0
  }

  /** A request failed. `inPart`: some of its entries had a response before. */
  noteFailure(error: unknown, inPart: boolean): void {
    const isSilent = error instanceof Unreachable && !error.isOurs && !inPart
    this.reached = !isSilent
    this.silentInARow = isSilent ? this.silentInARow + 1 : 0
  }

  /** What the outcome of one entry says of all that is still to be sent. */
  noteOutcome(error: unknown): void {
    if (error instanceof UpdateRequired) this.isTooOld = true
    if (error instanceof Refused && error.status === 401) this.isTokenDead = true
  }

  /** Nobody responds, or the app is too old: no turn leases anything more. */
  get mayLease(): boolean {
    return this.silentInARow < giveUpAfter && !this.isTooOld
  }

  /** What was leased may leave. */
  get maySend(): boolean {
    return this.mayLease && !this.isTokenDead
  }
}
