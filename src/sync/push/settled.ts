import type { Leased } from '../model.ts'
import type { Outcome } from '../outbox/record-outcomes.ts'
import { type Clock, createPause } from '../platform/context.ts'

/** Outcomes written in one turn: more would keep a slow phone from drawing meanwhile. */
const mostOutcomes = 100
/** Milliseconds in which outcomes of a batch are gathered for one turn, unless it ends before. */
const gatherFor = 20

/** What requests have brought back and no turn has written yet; it says when a turn is due. */
export class Settled {
  private outcomes: Outcome[] = []
  private returned: Leased[] = []
  private isTurnDue = false
  private readonly clock: Clock
  private readonly pause: ReturnType<typeof createPause>

  constructor(clock: Clock) {
    this.clock = clock
    this.pause = createPause(clock)
  }

  add(outcome: Outcome): void {
    this.outcomes.push(outcome)
    this.gather()
  }

  /** Leased, and not sent after all. */
  addReturned(leased: Leased): void {
    this.returned.push(leased)
    this.gather()
  }

  /** What the next turn writes. */
  take(): { outcomes: Outcome[]; returned: Leased[] } {
    return { outcomes: this.outcomes.splice(0, mostOutcomes), returned: this.returned.splice(0) }
  }

  /** A turn is due now. */
  callTurn(): void {
    this.isTurnDue = true
    this.pause.end()
  }

  /** Resolves once a turn is due, after `atMost` milliseconds at the latest. */
  async untilTurn(atMost: number): Promise<void> {
    if (!this.isTurnDue && atMost > 0) await this.pause.wait(atMost)
    this.isTurnDue = false
  }

  /** A turn is due when much has settled, or soon after the first. */
  private gather(): void {
    if (this.outcomes.length >= mostOutcomes) this.callTurn()
    else if (this.outcomes.length + this.returned.length === 1)
      this.clock.setTimeout(() => this.callTurn(), gatherFor)
  }
}
