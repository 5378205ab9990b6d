import type { Entry } from '#store/entries/operations.ts'
import type { NetworkObserver } from '../../devices/network/network.ts'
import type { SentRequest } from '../../devices/network/sent-request.ts'
import type { Run } from '../../devices/tab.ts'
import { meansToSend } from '../reference/states.ts'
import type { OutboxOracle } from './outbox.ts'
import type { ReportFault } from './report-fault.ts'
import { RequestRates } from './request-rates.ts'

/** Whose a token is, as the server gave it out: a person's ID, or the ID of a guest's delivery. */
export type Tokens = Map<string, string>

/** What the oracle needs of the phone whose requests it watches. */
type Watched = {
  readonly time: { now(): number }
  readonly hasLocks: boolean
  readonly skew: number
  readonly outboxOracle: OutboxOracle
}

/**
 * Whether a tab sees the lease of another, where there are no locks: by clocks that began before and after
 * the phone's clock was set neither knows how long the other's lasts, and the request key is the guard (S1).
 */
const isLeaseSeen = (run: Run, other: Run) => run.skewAtStart === other.skewAtStart

/** Watches every request of one phone and reports broken promises. */
export class RequestOracle {
  /** Every request that ever left. */
  readonly passed: SentRequest[] = []
  private readonly inFlight = new Map<SentRequest, Run>()
  /** Those without a key, but for streams. */
  private readonly asking = new Map<SentRequest, Run>()
  /** Who hears a stream, or has asked for one. */
  private readonly listening = new Map<SentRequest, Run>()
  /** Until when the server asked to leave a key alone, in the world's time. */
  private readonly notBefore = new Map<string, number>()
  private readonly rates: RequestRates
  private readonly phone: Watched
  private readonly tokens: Tokens
  private readonly reportFault: ReportFault

  constructor(phone: Watched, tokens: Tokens, reportFault: ReportFault) {
    this.phone = phone
    this.tokens = tokens
    this.reportFault = reportFault
    this.rates = new RequestRates(() => phone.time.now(), reportFault)
  }

  observerOf(run: Run): NetworkObserver {
    return {
      leaves: (trip, batch) => this.leaves(trip, run, batch),
      answered: (...told) => this.answered(...told),
      heard: ({ key }, status) => key && this.phone.outboxOracle.onAnswer(key, status),
      over: (trip) => {
        for (const trips of [this.inFlight, this.asking, this.listening]) trips.delete(trip)
      },
      hangs: () => this.reportFault('S23', `${run.name} still listens to a dead stream`),
      carried: (_, bytes) => this.rates.carried(bytes),
    }
  }

  onRunEnded(run: Run): void {
    for (const trips of [this.inFlight, this.asking, this.listening])
      for (const [trip, traveller] of trips) if (traveller === run) trips.delete(trip)
  }

  /** Whose the streams are that this phone hears, by ID; `undefined` for a token that nobody has. */
  listeners = (): (string | undefined)[] =>
    [...this.listening.keys()].map(({ token }) => this.tokens.get(token ?? ''))

  awaitsAnswer = (run: Run): boolean =>
    [...this.inFlight.values(), ...this.asking.values()].includes(run)

  private leaves(trip: SentRequest, run: Run, batch: readonly string[]) {
    const { time, hasLocks, skew, outboxOracle } = this.phone
    this.passed.push(trip)
    this.rates.asked(run.name, trip)
    if (trip.path === '/events') this.asksForNews(trip, run)
    else if (trip.key === undefined) this.asking.set(trip, run)
    if (trip.key === undefined) return
    // Asks whether the server still knows a guest's request (S54).
    if (trip.path.endsWith('/withdraw') && outboxOracle.find(trip.key)?.state === 'done') return
    for (const [{ key }, other] of this.inFlight)
      if (other !== run && (hasLocks || (key === trip.key && isLeaseSeen(run, other))))
        this.reportFault('S17', `${run.name} sends while ${other.name} does`)
    this.inFlight.set(trip, run)
    const entry = outboxOracle.onRequest(trip.key, hasLocks, batch)
    if (!entry) return
    if (!meansToSend(entry)) this.reportFault('S7', `${entry.op} was sent again, ${entry.state}`)
    // By a clock that jumped nobody can be patient; and the person may say that it be tried at once.
    if (skew === 0 && entry.held !== false && time.now() < (this.notBefore.get(trip.key) ?? 0))
      this.reportFault('S13', `${entry.op} was sent again before the server allowed it`)
    this.checkHold(entry)
    this.checkToken(entry, trip.token)
  }

  /** Where the clock was set meanwhile, a page that was opened since may take it for over. */
  private checkHold({ id, op, held, attempts, wait = 0 }: Entry) {
    const { time, skew, outboxOracle } = this.phone
    const made = outboxOracle.heldSince.get(id)
    if (!held || attempts > 0 || !made || made.now - made.at !== skew) return
    if (time.now() < made.at + wait)
      this.reportFault('S60', `${op} left while it could still be undone`)
  }

  private asksForNews(trip: SentRequest, run: Run) {
    for (const other of this.listening.values())
      if (other !== run && this.phone.hasLocks)
        this.reportFault('S22', `${run.name} asks for a stream while ${other.name} has one`)
    this.listening.set(trip, run)
  }

  private checkToken(entry: Entry, token: string | undefined) {
    const owner = token === undefined ? undefined : this.tokens.get(token)
    const guest = entry.account === 'guest'
    const needsNone = entry.op === 'createGuestDelivery' || !('id' in entry.input)
    const right = !guest
      ? owner === entry.account
      : owner === undefined || (!needsNone && owner.startsWith('guest of '))
    if (!right)
      this.reportFault('S8', `${entry.op} of ${entry.account} was sent for ${owner ?? 'nobody'}`)
  }

  private answered({ path, key, token }: SentRequest, status: number, body: string, wait = 0) {
    if (key && wait > 0) this.notBefore.set(key, this.phone.time.now() + wait * 1_000)
    if (key) this.phone.outboxOracle.onServerAnswer(key, status, wait, this.phone.time.now())
    if (token && (status === 401 || status === 403)) this.phone.outboxOracle.onDeadToken(token)
    if (status === 200 && path === '/login') {
      const { user, token } = JSON.parse(body)
      this.tokens.set(token, user.ID)
    }
    if (status === 201 && path === '/guest/deliveries') {
      const { delivery, guestToken } = JSON.parse(body)
      if (guestToken) this.tokens.set(guestToken, `guest of ${delivery.ID}`)
    }
  }
}
