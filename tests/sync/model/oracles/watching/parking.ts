import type { Entry } from '#store/deliveries/operations.ts'
import { isPromised } from '../../scenario/generate/not-yet.ts'
import type { ReportFault } from './report-fault.ts'

const hour = 3_600_000
const day = 24 * hour

/** Watches S16: only what the server failed for long is deferred, and then for a day. */
export class ParkingOracle {
  /** The world's time of the first failure of each key that was more than a request for patience. */
  private readonly failingSince = new Map<string, number>()
  private readonly report: ReportFault

  constructor(report: ReportFault) {
    this.report = report
  }

  /** `wait`: the seconds of `Retry-After`; `at`: the world's time. */
  onServerAnswer(key: string, status: number, wait: number, at: number): void {
    const isFailure = status >= 500 && !(status === 503 && wait > 0)
    if (isFailure && !this.failingSince.has(key)) this.failingSince.set(key, at)
  }

  /** `now`: by the phone's clock; `at`: the world's time. */
  check(entry: Entry, before: Entry | undefined, now: number, at: number): void {
    const say = (what: string) => this.report('S16', `${entry.op} ${entry.id} ${what}`)
    if (isPromised('parking by time')) this.checkTime(entry, before, at, say)
    else checkNumber(entry, before, say)
    if (entry.state !== 'sending' || before?.state !== 'parked') return
    if (before.nextAt > now && before.nextAt <= now + day) say('was not left alone for its day')
  }

  private checkTime(
    { op, id, state }: Entry,
    before: Entry | undefined,
    at: number,
    say: (what: string) => void,
  ) {
    if (state !== 'parked' || before?.state === 'parked') return
    const since = this.failingSince.get(id)
    // Uploads have no key by which their answers are known.
    if (since === undefined && op !== 'uploadPhoto') say('is parked, and the server never failed')
    if (since !== undefined && at - since < hour)
      say(`is parked after ${Math.round((at - since) / 60_000)} minutes of failures`)
  }
}

/** Eight failures park it, fewer do not. */
function checkNumber(
  { state, failures }: Entry,
  before: Entry | undefined,
  say: (what: string) => void,
) {
  if (state === 'parked' && failures < 8) say(`is parked after ${failures} failures`)
  if (state === 'retrying' && failures >= 8) say(`is tried again after ${failures} failures`)
  // Recorded and leased again in one transaction.
  if (state === 'sending' && before && failures >= 8 && failures > before.failures)
    say('was not left alone at all')
}
