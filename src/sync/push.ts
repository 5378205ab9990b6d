import { Unreachable } from '#contract/errors.ts'
import { guestAccount } from '#store/db.ts'
import { type Entry, isUnsent, type OutboxOp } from '#store/entry.ts'
import { isSound, outboxTables, refoldLanes, unsentKeys } from '#store/outbox.ts'
import { sendEntry } from './send.ts'
import { type Outcome, settle } from './settle.ts'
import type { Tools } from './tools.ts'

/** Lanes that leave side by side. */
const lanesAtOnce = 6
/** Photos among them, so that an accept never waits behind six uploads. */
const photosAtOnce = 2
/** After so many tries in a row that nobody answered, there is no network worth the name. */
const giveUpAfter = 3
/** A lease outlives every deadline a call has; only a killed sender's runs out. */
const leaseFor = 200_000

export type Drained = {
  /** Lists the answers made stale. */
  stale: Set<string>
  /** Deliveries whose entries were refused: what the server has instead is worth asking. */
  refused: Set<string>
  /** When the next waiting entry may be tried, milliseconds since 1970; nothing waits if missing. */
  nextAt?: number
  /** Whether anybody answered; nothing when nobody was asked. */
  reached?: boolean
  bytes: number
}

/**
 * Sends what may be sent until nothing may. One drain runs at a time across tabs and the worker
 * (the lock); the lease is the second guard and the server's request key the third.
 */
export async function drain(tools: Tools): Promise<Drained | undefined> {
  let drained: Drained | undefined
  await tools.locks.run(`soma-send:${tools.db.name}`, async () => {
    drained = await new Push(tools).run()
  })
  return drained
}

/** Keeps one drain's state: the queue in memory, what is under way, what has come back. */
class Push {
  private readonly queue = new Map<string, Entry[]>()
  private readonly unsent = new Set<string>()
  private readonly underWay = new Map<string, { entry: Entry; done: Promise<void> }>()
  private outcomes: Outcome[] = []
  private lastSeq = 0
  private silent = 0
  private readonly drained: Drained = { stale: new Set(), refused: new Set(), bytes: 0 }
  private readonly tools: Tools

  constructor(tools: Tools) {
    this.tools = tools
  }

  async run(): Promise<Drained> {
    for (;;) {
      for (const entry of await this.turn()) this.start(entry)
      if (this.underWay.size === 0) break
      await Promise.race([...this.underWay.values()].map(({ done }) => done))
    }
    this.drained.nextAt = this.earliest()
    return this.drained
  }

  /** One transaction: writes what came back, reads what is new, leases what leaves next. */
  private async turn(): Promise<Entry[]> {
    const { db } = this.tools
    const outcomes = this.outcomes
    this.outcomes = []
    for (const { entry } of outcomes) this.underWay.delete(laneOf(entry))
    return db.transaction('rw', [...outboxTables(db), db.pulls], async () => {
      await settle(this.tools, outcomes)
      const accounts = await this.sendable()
      if (this.lastSeq === 0 || outcomes.some(changedOthers)) await this.reload(accounts)
      else await this.loadNew(outcomes, accounts)
      return this.lease()
    })
  }

  /** Entries leave only under the account that made them, and not while its token is dead. */
  private async sendable(): Promise<string[]> {
    const session = await this.tools.db.sessions.get('current')
    return session && !session.expired ? [guestAccount, session.account] : [guestAccount]
  }

  private async reload(accounts: string[]): Promise<void> {
    const { db } = this.tools
    const keys = accounts.flatMap(unsentKeys)
    const entries = await db.outbox.where('[account+state]').anyOf(keys).sortBy('seq')
    this.queue.clear()
    this.unsent.clear()
    this.take(entries)
    const last = await db.outbox.orderBy(':id').last()
    this.lastSeq = last?.seq ?? 0
  }

  private async loadNew(outcomes: Outcome[], accounts: string[]): Promise<void> {
    for (const { entry } of outcomes) this.drop(entry)
    const added = await this.tools.db.outbox.where(':id').above(this.lastSeq).toArray()
    this.take(added.filter((entry) => isUnsent(entry) && accounts.includes(entry.account)))
    this.lastSeq = added.at(-1)?.seq ?? this.lastSeq
  }

  private take(entries: Entry[]) {
    for (const entry of entries.filter(isSound)) {
      const lane = laneOf(entry)
      const others = this.queue.get(lane)
      if (others) others.push(entry)
      else this.queue.set(lane, [entry])
      this.unsent.add(entry.id)
    }
  }

  private drop(entry: Entry) {
    this.unsent.delete(entry.id)
    const lane = laneOf(entry)
    const rest = (this.queue.get(lane) ?? []).filter((each) => each.id !== entry.id)
    if (rest.length > 0) this.queue.set(lane, rest)
    else this.queue.delete(lane)
  }

  /** Picks the heads that may leave now and marks them, so that nobody else sends them. */
  private async lease(): Promise<Entry[]> {
    const { db, clock, holder } = this.tools
    if (this.silent >= giveUpAfter) return []
    const chosen = this.choose()
    if (chosen.length === 0) return []
    const stored = await db.outbox.bulkGet(chosen.map((entry) => entry.seq))
    const current = stored.filter((entry): entry is Entry => entry !== undefined && isUnsent(entry))
    const leased = current.map(
      (entry): Entry => ({
        ...entry,
        state: 'sending',
        lease: { holder, until: clock.now() + leaseFor },
      }),
    )
    await db.outbox.bulkPut(leased)
    await refoldLanes(db, leased)
    // Taken back by the person, here or in another tab, since the queue was read.
    if (leased.length < chosen.length) this.lastSeq = 0
    return leased
  }

  private choose(): Entry[] {
    const ready: Entry[] = []
    for (const [lane, entries] of this.queue) {
      const head = entries[0]
      if (head && !this.underWay.has(lane) && this.isReady(head)) ready.push(head)
    }
    ready.sort((a, b) => urgency(a.op) - urgency(b.op) || a.seq - b.seq)
    let photos = [...this.underWay.values()].filter(({ entry }) => isPhoto(entry)).length
    const room = lanesAtOnce - this.underWay.size
    return ready.filter((entry) => !isPhoto(entry) || photos++ < photosAtOnce).slice(0, room)
  }

  private isReady(entry: Entry): boolean {
    const now = this.tools.clock.now()
    const lent = !this.tools.locks.exclusive && isLent(entry, now, this.tools.holder)
    return entry.nextAt <= now && !lent && !entry.after.some((parent) => this.unsent.has(parent))
  }

  private start(entry: Entry) {
    const lane = laneOf(entry)
    // The lane stays taken until a turn writes the outcome: one that comes in the middle of a turn
    // finds its entry still in the queue.
    const done = this.attempt(entry).then((outcome) => {
      this.outcomes.push(outcome)
      this.note(outcome)
    })
    this.underWay.set(lane, { entry, done })
  }

  private async attempt(entry: Entry): Promise<Outcome> {
    try {
      return { entry, told: await sendEntry(this.tools, entry) }
    } catch (error) {
      return { entry, error }
    }
  }

  private note(outcome: Outcome) {
    const unanswered =
      'error' in outcome &&
      outcome.error instanceof Unreachable &&
      outcome.error.status === undefined
    this.silent = unanswered ? this.silent + 1 : 0
    this.drained.reached = !unanswered
    if ('told' in outcome) {
      for (const list of outcome.told.stale) this.drained.stale.add(list)
      this.drained.bytes += outcome.told.bytes
    } else if (!unanswered) this.drained.refused.add(outcome.entry.lane)
  }

  private earliest(): number | undefined {
    const heads = [...this.queue.values()].map((entries) => entries[0]?.nextAt ?? 0)
    if (heads.length === 0) return undefined
    return Math.max(Math.min(...heads), this.tools.clock.now())
  }
}

/**
 * Whether another sender may still be at it. Only asked where there are no Web Locks: holding the
 * lock proves that whoever leased the entry is gone.
 */
const isLent = ({ lease }: Entry, now: number, holder: string) =>
  lease !== undefined && lease.until > now && lease.holder !== holder

/** A refusal takes others with it, and a new ID moves them to another lane. */
const changedOthers = (outcome: Outcome) =>
  'error' in outcome ||
  (outcome.told.delivery !== undefined && outcome.told.delivery.ID !== outcome.entry.lane)

const laneOf = (entry: Entry) => `${entry.account} ${entry.lane}`

const isPhoto = (entry: Entry) => entry.op === 'uploadPhoto'

const urgent: OutboxOp[] = [
  'acceptDelivery',
  'completeDelivery',
  'pickUpDelivery',
  'approveDelivery',
  'cancelDelivery',
]

const urgency = (op: OutboxOp): number => (urgent.includes(op) ? 0 : op === 'uploadPhoto' ? 2 : 1)
