import { Unreachable, UpdateRequired } from '#contract/wire-errors.ts'
import { Refusal } from '#domain/errors.ts'
import { dataSaver } from '../database/device/data-saver.ts'
import type { OutboxEntry } from '../database/entry.ts'
import {
  type BatchOutcome,
  type Drained,
  type Leased,
  type Memo,
  NoBatch,
  type SendModel,
} from '../model.ts'
import { type Holder, isLeasedElsewhere } from '../outbox/lease.ts'
import { commitTurn, type QueueChange } from '../outbox/turn.ts'
import type { SyncContext } from '../platform/context.ts'
import { isOnMobileData } from '../platform/mobile-data.ts'
import { batchSize, noteNoBatch, noteSilentBatch, takesBatch } from './batch-support.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import { Lanes } from './lanes.ts'
import { callsAtOnce, type Departing, RequestSlots } from './request-slots.ts'
import { Settled } from './settled.ts'

/*
 * One drain of the outbox:
 *
 *     locked elsewhere -----------------------> nothing: another tab or the worker sends
 *        |
 *        | lock is ours
 *        v
 *     probe ---- no network, nobody responds -> ended, nothing has left (S40)
 *        |
 *        | network, or the device says nothing
 *        v
 *   +> turn ---- nothing left to send, -------> ended: `nextAt` is when the next entry may leave
 *   |    |       nothing under way
 *   |    |
 *   |    | one transaction has written outcomes, read what is new, and leased what leaves next
 *   |    v
 *   |  under way     at most six calls or two batches, and two uploads (S34)
 *   |    |
 *   +----+ a request has ended, outcomes are gathered, or 500 ms have passed (S71)
 *
 * A drain stops when three requests in a row met silence, when the token is refused (S14) or when the server takes
 * only newer builds (S48): nothing more leaves, what is under way ends, and one turn writes how.
 *
 *     Lanes            what is unsent, and what of it may leave next
 *     RequestSlots     what is leased: ready to leave, or under way
 *     Settled          what came back and is not written yet
 *     CircuitBreaker   whether the drain must stop
 */

/** Batches side by side; an urgent one may go beside them. */
const batchesAtOnce = 2
/** Entries leased beyond the calls under way, so that no lane waits for the disk where responses are quick. */
const mostAhead = 48
/**
 * Milliseconds after which the queue is looked at while no request ends: a new entry, or one whose time has
 * come, leaves beside a file that goes up for a minute (S71).
 */
const lookEvery = 500
/** Milliseconds after which a device that says it has no network is tried again. */
const probeAgain = 10_000
/** Milliseconds between two looks for Wi-Fi; a browser that says when the network changes is heard at once. */
const lookForWifi = 60_000

/**
 * Sends what may be sent until nothing may. One drain runs at a time across tabs and the worker: the
 * lock is the first guard, the lease the second, the server's request key the third (S1, S17).
 * Nothing when another tab or the worker holds the lock.
 */
export async function drain(context: SyncContext, model: SendModel): Promise<Drained | undefined> {
  let drained: Drained | undefined
  await context.locks.run(`soma-send:${context.db.name}`, async () => {
    drained = await new Sender(context, model).run()
  })
  return drained
}

/** One drain: its turns, a transaction each, and the requests that are under way meanwhile. */
class Sender {
  private readonly context: SyncContext
  private readonly model: SendModel
  private readonly lanes: Lanes
  private readonly memo: Memo = new Map()
  private readonly slots = new RequestSlots()
  private readonly settled: Settled
  private readonly breaker = new CircuitBreaker()
  /** Entries up to this `seq` are known; nothing: none are. */
  private knownUpTo: number | undefined
  /** Nothing of the queue is left to be read. */
  private isRead = false
  private takesBatch = false
  /** Uploads wait for Wi-Fi (S62). */
  private holdsUploads = false
  private readonly drained: Pick<Drained, 'stale' | 'refused' | 'bytes'> = {
    stale: new Set(),
    refused: new Set(),
    bytes: 0,
  }

  constructor(context: SyncContext, model: SendModel) {
    this.context = context
    this.model = model
    this.lanes = new Lanes(model.operations)
    this.settled = new Settled(context.clock)
  }

  async run(): Promise<Drained> {
    this.takesBatch = this.model.batch !== undefined && (await takesBatch(this.context))
    const { wifiOnly } = await dataSaver(this.context.db)
    this.holdsUploads = wifiOnly === true && (this.context.isOnMobileData ?? isOnMobileData)()
    const isCutOff = await this.isCutOff()
    for (;;) {
      const leased = await this.commitAndLease()
      this.slots.add(leased, this.lanes.isUpload, (entry) =>
        this.takesBatch ? this.groupOf(entry) : entry.id,
      )
      this.startRequests()
      if (this.lanes.isIdle && (this.isRead || !this.breaker.maySend)) break
      // After a whole batch there may be another.
      const isMoreFree = leased.length >= batchSize && this.slots.underWayCount < batchesAtOnce
      const mustWait = this.slots.underWayCount > 0 && !isMoreFree
      await this.settled.untilTurn(mustWait ? lookEvery : 0)
    }
    const { reached, isTooOld } = this.breaker
    if (isTooOld) return { ...this.drained, reached, updateRequired: true }
    return { ...this.drained, reached, nextAt: this.nextAt(isCutOff) }
  }

  private nextAt(isCutOff: boolean): number | undefined {
    const holder = this.holder()
    const first = this.lanes.earliest((entry) => {
      const dueAt = holder.now + this.context.waits.left(entry)
      if (this.holdsUploads && this.lanes.isUpload(entry))
        return Math.max(dueAt, holder.now + lookForWifi)
      return Math.max(dueAt, isLeasedElsewhere(entry, holder) ? (entry.lease?.until ?? 0) : 0)
    })
    return first && isCutOff ? Math.max(first, holder.now + probeAgain) : first
  }

  /**
   * The device says that it has no network, which may be wrong: a request that changes nothing finds out,
   * so that nothing leaves of which nobody knows whether it arrived (S40).
   */
  private async isCutOff(): Promise<boolean> {
    if (!this.context.isOffline?.() || !this.model.probe) return false
    const isThere = await this.model.probe(this.context)
    this.breaker.noteProbe(isThere)
    return !isThere
  }

  /** Entries of one group may leave in one request. */
  private readonly groupOf = (entry: OutboxEntry): string => `${this.model.batch?.groupOf(entry)}`

  private holder(): Holder {
    const { holder, clock, locks } = this.context
    return { id: holder, now: clock.monotonic(), isAlone: locks.exclusive }
  }

  private startRequests() {
    while (this.breaker.maySend) {
      const next = this.slots.take()
      if (!next) return
      void this.request(next).then(() => {
        this.slots.release(next)
        this.startRequests()
        this.settled.callTurn()
      })
    }
  }

  /** Never rejects. */
  private async request({ entries }: Departing): Promise<void> {
    const waiting = new Map(entries.map((leased) => [leased.entry.id, leased]))
    const jitter = this.context.random()
    const settle = ({ id }: OutboxEntry, outcome: BatchOutcome) => {
      const leased = waiting.get(id)
      if (!leased) return
      waiting.delete(id)
      this.settle(leased, outcome, jitter)
    }
    try {
      await this.send(entries, settle)
      if (waiting.size > 0) throw new Unreachable('The response ended early')
      this.breaker.noteResponse()
    } catch (error) {
      const inPart = waiting.size < entries.length
      this.breaker.noteFailure(error, inPart)
      if (error instanceof NoBatch) {
        this.takesBatch = false
        await noteNoBatch(this.context)
      } else if (entries.length > 1 && !inPart) await this.noteLostBatch(error)
      const outcome = error instanceof NoBatch ? ({ returned: true } as const) : { error, inPart }
      for (const { entry } of [...waiting.values()]) settle(entry, outcome)
    }
  }

  private async send(
    entries: Leased[],
    settle: (entry: OutboxEntry, outcome: BatchOutcome) => void,
  ): Promise<void> {
    const [first] = entries
    if (!first) return
    if (entries.length > 1) return this.model.batch?.send(this.context, entries, this.memo, settle)
    const { entry, credentials } = first
    const request = this.model.requests[entry.op]
    if (!request) throw new Error(`No request is known for ${entry.op}`)
    settle(entry, { reply: await request(this.context, entry, credentials, this.memo) })
  }

  /** No response to anything in a batch. Where a read has one, batches are not what gets through (S41). Never rejects. */
  private async noteLostBatch(error: unknown): Promise<void> {
    const isLost =
      error instanceof Unreachable && (error.status === undefined || error.status >= 500)
    if (!isLost || !(await this.model.probe?.(this.context).catch(() => false))) return
    this.breaker.noteResponse()
    if (!(await noteSilentBatch(this.context))) this.takesBatch = false
  }

  private settle(leased: Leased, outcome: BatchOutcome, jitter: number) {
    const { entry, credentials } = leased
    if ('returned' in outcome) return this.settled.addReturned(leased)
    if ('reply' in outcome) {
      const { reply } = outcome
      this.breaker.reached = true
      for (const list of reply.staleLists) this.drained.stale.add(list)
      this.drained.bytes += reply.bytes
      return this.settled.add({ entry, reply })
    }
    const { error, inPart = false } = outcome
    this.breaker.noteOutcome(error)
    if (error instanceof UpdateRequired) return this.settled.addReturned(leased)
    if (error instanceof Refusal) this.drained.refused.add(entry.lane)
    this.settled.add({ entry, error, jitter, inPart, token: credentials.token })
  }

  private async commitAndLease(): Promise<Leased[]> {
    const { outcomes, returned } = this.settled.take()
    if (!this.breaker.maySend) returned.push(...this.slots.clearReady())
    const holder = this.holder()
    const { leased, knownUpTo, isStale, isComplete } = await commitTurn(
      this.context.db,
      this.model,
      {
        outcomes,
        returned,
        knownUpTo: this.knownUpTo,
        holder,
        wallClock: this.context.clock.now(),
        choose: (change) => {
          for (const { entry } of [...outcomes, ...returned]) this.lanes.release(entry)
          return this.choose(change, outcomes.length, holder)
        },
      },
    )
    for (const { entry } of leased) this.lanes.take(entry)
    this.knownUpTo = isStale ? undefined : knownUpTo
    this.isRead = isComplete && !isStale
    this.breaker.isTokenDead = false
    return leased
  }

  /** For every free slot one entry, or a batch of them; of single calls as many again as came back since the last turn. */
  private choose(change: QueueChange, ahead: number, holder: Holder): OutboxEntry[] {
    this.lanes.apply(change)
    if (!this.breaker.mayLease) return []
    const free = this.slots.free
    // What has come back and is not yet written counts too: a slow disk is not left behind.
    const isBusy = this.lanes.underWayCount > batchSize
    const urgentOnly = this.takesBatch && isBusy
    const singleCalls = free.calls + Math.min(ahead, mostAhead)
    const inBatches = urgentOnly ? callsAtOnce : batchSize
    return this.lanes.departing({
      uploads: this.holdsUploads ? 0 : free.uploads,
      calls: this.takesBatch ? inBatches : singleCalls,
      requests: free.calls,
      chains: this.takesBatch,
      groupOf: this.groupOf,
      isReady: (entry) =>
        change.accounts.includes(entry.account) &&
        this.context.waits.left(entry) === 0 &&
        !isLeasedElsewhere(entry, holder) &&
        (!urgentOnly || this.lanes.isUrgent(entry)),
    })
  }
}
