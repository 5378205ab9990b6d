import { Refused, Unreachable } from '#contract/errors.ts'
import { Refusal } from '#domain/errors.ts'
import { isDue } from '#store/outbox/backoff.ts'
import type { OutboxEntry } from '#store/outbox/entry.ts'
import { type Holder, isLeasedElsewhere, type Leased } from '#store/outbox/lease.ts'
import type { Outcome } from '#store/outbox/record-outcomes.ts'
import { commitTurn, type QueueChange } from '#store/outbox/turn.ts'
import type { SyncContext } from '../platform/context.ts'
import { Lanes, lanesAtOnce } from './lanes.ts'
import type { PushProduct } from './product.ts'

/** Entries leased beyond those under way, so that no lane waits for the disk where answers are quick. */
const mostAhead = 48
/** After so many tries in a row that nobody answered, there is no network worth the name. */
const giveUpAfter = 3

export type Drained = {
  /** Lists that the replies made stale. */
  stale: Set<string>
  /** Lanes whose entries were refused: what the server has instead is worth asking. */
  refused: Set<string>
  /** When the next waiting entry may be tried, milliseconds since 1970; nothing waits if missing. */
  nextAt?: number
  /** Whether anybody answered; nothing when nobody was asked. */
  reached?: boolean
  bytes: number
}

/**
 * Sends what may be sent until nothing may. One drain runs at a time across tabs and the worker: the
 * lock is the first guard, the lease the second, the server's request key the third (S1, S17).
 * Nothing when another tab or the worker holds the lock.
 */
export async function drain(
  context: SyncContext,
  product: PushProduct,
): Promise<Drained | undefined> {
  let drained: Drained | undefined
  await context.locks.run(`soma-send:${context.db.name}`, async () => {
    drained = await new Sender(context, product).run()
  })
  return drained
}

/**
 * Keeps one drain's state. Entries are leased and outcomes written in turns, a transaction each;
 * meanwhile requests for what is leased are under way, so that a turn takes in whatever has come back
 * since the one before.
 */
class Sender {
  private readonly context: SyncContext
  private readonly product: PushProduct
  private readonly lanes: Lanes
  /** What the requests of one drain remember for one another: addresses of photos. */
  private readonly memo = new Map<string, string>()
  private ready: Leased[] = []
  private underWay = 0
  private outcomes: Outcome[] = []
  private onSettled = () => {}
  private knownUpTo: number | undefined
  private unansweredInARow = 0
  private isTokenDead = false
  private readonly drained: Drained = { stale: new Set(), refused: new Set(), bytes: 0 }

  constructor(context: SyncContext, product: PushProduct) {
    this.context = context
    this.product = product
    this.lanes = new Lanes(product.operations)
  }

  async run(): Promise<Drained> {
    for (;;) {
      this.ready.push(...(await this.commitAndLease()))
      this.ready.sort((a, b) => this.lanes.byUrgency(a.entry, b.entry))
      this.startRequests()
      if (this.lanes.isIdle) break
      if (this.outcomes.length === 0 && this.underWay > 0)
        await new Promise<void>((resolve) => {
          this.onSettled = resolve
        })
    }
    const holder = this.holder()
    this.drained.nextAt = this.lanes.earliest(holder.now, (entry) =>
      isLeasedElsewhere(entry, holder) ? (entry.lease?.until ?? holder.now) : holder.now,
    )
    return this.drained
  }

  /** Nobody answers, or the token is dead: what has not left stays. */
  private get mustStop(): boolean {
    return this.unansweredInARow >= giveUpAfter || this.isTokenDead
  }

  private holder(): Holder {
    const { holder, clock, isOffline, locks } = this.context
    return {
      id: holder,
      now: clock.now(),
      isOffline: isOffline?.() ?? false,
      isAlone: locks.exclusive,
    }
  }

  private startRequests() {
    while (!this.mustStop && this.underWay < lanesAtOnce) {
      const next = this.ready.shift()
      if (!next) return
      this.underWay++
      void this.request(next).then((outcome) => {
        this.underWay--
        this.outcomes.push(outcome)
        this.note(outcome)
        this.startRequests()
        this.onSettled()
      })
    }
  }

  private async request({ entry, credentials }: Leased): Promise<Outcome> {
    try {
      const request = this.product.requests[entry.op]
      if (!request) throw new Error(`No request is known for ${entry.op}`)
      return { entry, reply: await request(this.context, entry, credentials, this.memo) }
    } catch (error) {
      return { entry, error }
    }
  }

  private note(outcome: Outcome) {
    const error = 'error' in outcome ? outcome.error : undefined
    const isUnanswered = error instanceof Unreachable && error.status === undefined
    this.unansweredInARow = isUnanswered ? this.unansweredInARow + 1 : 0
    this.drained.reached = !isUnanswered
    if ('reply' in outcome) {
      for (const list of outcome.reply.staleLists) this.drained.stale.add(list)
      this.drained.bytes += outcome.reply.bytes
    } else if (error instanceof Refusal) this.drained.refused.add(outcome.entry.lane)
    if (error instanceof Refused && error.status === 401) this.isTokenDead = true
  }

  private async commitAndLease(): Promise<Leased[]> {
    const outcomes = this.outcomes.splice(0)
    const returned = this.mustStop ? this.ready.splice(0) : []
    const holder = this.holder()
    const { leased, knownUpTo, isStale } = await commitTurn(this.context.db, this.product, {
      outcomes,
      returned,
      knownUpTo: this.knownUpTo,
      holder,
      random: this.context.random,
      choose: (change) => {
        for (const { entry } of [...outcomes, ...returned]) this.lanes.release(entry)
        return this.choose(change, outcomes.length, holder)
      },
    })
    for (const { entry } of leased) this.lanes.take(entry)
    this.knownUpTo = isStale ? undefined : knownUpTo
    this.isTokenDead = false
    return leased
  }

  /** For every free place one entry, and as many again as came back since the last turn. */
  private choose(change: QueueChange, ahead: number, holder: Holder): OutboxEntry[] {
    this.lanes.apply(change)
    if (this.unansweredInARow >= giveUpAfter) return []
    const isReady = (entry: OutboxEntry) =>
      change.accounts.includes(entry.account) &&
      isDue(entry, holder.now) &&
      !isLeasedElsewhere(entry, holder)
    return this.lanes.heads(Math.min(ahead, mostAhead), isReady)
  }
}
