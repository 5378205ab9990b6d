import type { Entry } from '#store/entries/operations.ts'
import { isInDoubt, isMoved } from '../reference/states.ts'
import type { ReportFault } from './report-fault.ts'

const hour = 3_600_000
const day = 24 * hour
/** Failures that park an entry once they have gone on for an hour. */
const fewest = 8

/**
 * When a page or worker changed its database, in milliseconds since 1970. `now`: by the phone's clock;
 * `at`: the world's time.
 */
export type Moment = { now: number; at: number }

/** Watches S16: only what our server failed for long is deferred, never for a gateway's answers, and then for a day. */
export class ParkingOracle {
  /** The world's time of the first failure of each key that was more than a request for patience. */
  private readonly failingSince = new Map<string, number>()
  /** When each entry was parked, by its ID. */
  private readonly parkedAt = new Map<string, number>()
  /** The phone's clock was wrong: each correction may count as ten minutes of failures. */
  private wasWrong = false
  private readonly report: ReportFault

  constructor(report: ReportFault) {
    this.report = report
  }

  /** `wait`: the seconds of `Retry-After`; `at`: the world's time. */
  onServerAnswer(key: string, status: number, wait: number, at: number): void {
    const isFailure = status >= 500 && !(status === 503 && wait > 0)
    if (isFailure && !this.failingSince.has(key)) this.failingSince.set(key, at)
  }

  /** An entry as a page or worker has just written it. */
  check(entry: Entry, before: Entry | undefined, { now, at }: Moment): void {
    const say = (what: string) => this.report('S16', `${entry.op} ${entry.id} ${what}`)
    this.wasWrong ||= now !== at
    if (!isInDoubt(entry) && !isMoved(entry)) this.checkTime(entry, before, at, say)
    // Recorded and leased again in one transaction.
    const { failures, failingFor = 0 } = entry
    const failsAgain = before?.state === 'sending' && failures > before.failures
    if (entry.state === 'sending' && failsAgain && failures >= fewest && failingFor >= hour)
      say('was not left alone at all')
    if (entry.state !== 'sending' || before?.state !== 'parked') return
    if (isInDoubt(before) || isMoved(before)) return
    const waited = at - (this.parkedAt.get(entry.id) ?? 0)
    if (waited < day && before.nextAt > now) say('was not left alone for its day')
  }

  private checkTime(
    { op, id, state }: Entry,
    before: Entry | undefined,
    at: number,
    say: (what: string) => void,
  ) {
    if (
      state !== 'parked' ||
      (before?.state === 'parked' && !isInDoubt(before) && !isMoved(before))
    )
      return
    this.parkedAt.set(id, at)
    const since = this.failingSince.get(id)
    // Uploads have no key by which their answers are known.
    if (since === undefined && op !== 'uploadPhoto') say('is parked, and the server never failed')
    if (since !== undefined && at - since < (this.wasWrong ? hour / 2 : hour))
      say(`is parked after ${Math.round((at - since) / 60_000)} minutes of failures`)
  }
}
