import { isUnsent, type Operation, type OutboxEntry } from '../database/entry.ts'
import type { QueueChange } from '../outbox/turn.ts'
import { isReadable } from '../outbox/upgrades.ts'

/** What may leave at this moment. */
export type Departure = {
  /** At most so many uploads. */
  uploads: number
  /** At most so many calls, one for each lane; of `chains` as many entries of a lane as there are. */
  calls: number
  /** Of `chains`: at most so many requests. */
  requests: number
  /** Whether entries of one lane leave together, in one request. */
  chains: boolean
  isReady: (entry: OutboxEntry) => boolean
  /** Entries of one request have one group: one token. */
  groupOf: (entry: OutboxEntry) => string
}

/**
 * What is unsent, as one sender knows it: lanes of entries, each in order (S3). An entry is under way
 * from when it is taken until its outcome is written.
 */
export class Lanes {
  private readonly lanes = new Map<string, OutboxEntry[]>()
  private readonly unsent = new Map<string, OutboxEntry>()
  /** Entries this version of the app cannot send: their lanes wait for the update. */
  private readonly unreadable = new Set<string>()
  /** IDs of entries under way, by their lanes. */
  private readonly underWay = new Map<string, Set<string>>()
  private readonly operations: Record<string, Operation>

  constructor(operations: Record<string, Operation>) {
    this.operations = operations
  }

  /** Takes in how the queue has changed in the database. */
  apply({ isStart, added, changed, moved, accounts }: QueueChange): void {
    if (isStart) this.clear()
    for (const { account, from, to } of moved) this.move(`${account} ${from}`, to)
    this.add(added)
    for (const entry of changed) {
      if (isUnsent(entry)) this.replace(entry)
      else this.drop(entry)
    }
    for (const [lane, [head]] of this.lanes)
      if (head && !accounts.includes(head.account)) this.lanes.delete(lane)
  }

  /** `entries` in order of `seq`. */
  add(entries: readonly OutboxEntry[]): void {
    for (const entry of entries) {
      if (!isReadable(entry, this.operations)) this.unreadable.add(entry.id)
      const lane = this.queueOf(entry)
      const others = this.lanes.get(lane)
      if (others) others.push(entry)
      else this.lanes.set(lane, [entry])
      this.unsent.set(entry.id, entry)
    }
  }

  /**
   * The entries that may leave now, the most urgent first and each after what it depends on. The calls
   * among them are of as many groups as there may be requests.
   */
  departing(departure: Departure): OutboxEntry[] {
    const heads = this.heads(departure.isReady)
    const free = heads.filter((entry) => this.parentsDone(entry))
    const uploads = free.filter(this.isUpload).slice(0, Math.max(0, departure.uploads))
    const calls = (departure.chains ? heads : free).filter((entry) => !this.isUpload(entry))
    return [...this.together(calls, departure), ...uploads]
  }

  take(entry: OutboxEntry): void {
    const lane = this.queueOf(entry)
    this.underWay.set(lane, (this.underWay.get(lane) ?? new Set()).add(entry.id))
  }

  release(entry: OutboxEntry): void {
    const lane = this.queueOf(entry)
    const ids = this.underWay.get(lane)
    ids?.delete(entry.id)
    if (ids?.size === 0) this.underWay.delete(lane)
  }

  get isIdle(): boolean {
    return this.underWay.size === 0
  }

  get underWayCount(): number {
    let count = 0
    for (const ids of this.underWay.values()) count += ids.size
    return count
  }

  /**
   * When the first of the waiting heads may be tried; one that waits for its parent goes with that, one that is
   * held back goes never. `dueAt`: when the time of an entry comes.
   */
  earliest(dueAt: (entry: OutboxEntry) => number): number | undefined {
    let first: number | undefined
    for (const [head] of this.lanes.values()) {
      if (!head || this.isHeldBack(head) || !this.parentsDone(head)) continue
      if (this.isBehind(head)) continue
      first = Math.min(first ?? Number.POSITIVE_INFINITY, dueAt(head))
    }
    return first
  }

  /** The heads whose time has come, the most urgent first. */
  private heads(isReady: Departure['isReady']): OutboxEntry[] {
    const ready: OutboxEntry[] = []
    for (const [lane, [head]] of this.lanes)
      if (
        head &&
        !this.underWay.has(lane) &&
        !this.isHeldBack(head) &&
        !this.isBehind(head) &&
        isReady(head)
      )
        ready.push(head)
    return ready.sort(this.byUrgency)
  }

  /** Calls of the first ones' groups, with what follows them in their lanes and what depends on them. */
  private together(heads: OutboxEntry[], departure: Departure): OutboxEntry[] {
    const { calls, requests, chains, groupOf } = departure
    if (!chains) return heads.slice(0, Math.max(0, calls))
    const chosen: OutboxEntry[] = []
    let rest = heads
    for (let count = 0; count < requests && chosen.length < calls; count++) {
      const first = rest.find((entry) => this.parentsDone(entry))
      if (!first) break
      const group = groupOf(first)
      const most = { ...departure, calls: calls - chosen.length }
      chosen.push(...this.ofGroup(rest, group, most))
      rest = rest.filter((entry) => groupOf(entry) !== group)
    }
    return chosen
  }

  private ofGroup(heads: OutboxEntry[], group: string, departure: Departure): OutboxEntry[] {
    const { calls, groupOf } = departure
    const chosen = new Map<string, OutboxEntry>()
    let waiting = heads.filter((entry) => groupOf(entry) === group)
    // A head may depend on one that stands after it: those that wait are looked at again.
    for (let before = -1; before < chosen.size && chosen.size < calls; ) {
      before = chosen.size
      waiting = waiting.filter((head) => !this.addLane(head, group, departure, chosen))
    }
    return [...chosen.values()]
  }

  /** Adds as much of a lane as may leave with the others; returns whether its head was added. */
  private addLane(
    head: OutboxEntry,
    group: string,
    { calls, groupOf, isReady }: Departure,
    chosen: Map<string, OutboxEntry>,
  ): boolean {
    for (const entry of this.lanes.get(this.queueOf(head)) ?? []) {
      const joins = !this.isUpload(entry) && groupOf(entry) === group && !this.isHeldBack(entry)
      const mayLeave =
        joins && !this.isBehind(entry) && isReady(entry) && this.parentsDone(entry, chosen)
      if (!mayLeave || chosen.size >= calls) break
      chosen.set(entry.id, entry)
    }
    return chosen.has(head.id)
  }

  private isHeldBack({ id, withdrawal }: OutboxEntry): boolean {
    return withdrawal === 'unknown' || this.unreadable.has(id)
  }

  isUrgent(entry: OutboxEntry): boolean {
    return this.urgencyOf(entry) === 0
  }

  private readonly byUrgency = (a: OutboxEntry, b: OutboxEntry): number =>
    this.urgencyOf(a) - this.urgencyOf(b) || a.seq - b.seq

  /** `beside`: entries that leave in the same request, before this one. */
  private parentsDone(entry: OutboxEntry, beside?: ReadonlyMap<string, unknown>): boolean {
    return (
      entry.after.every((parent) => !this.unsent.has(parent) || beside?.has(parent)) &&
      !entry.follows?.some((id) => this.isGoing(id))
    )
  }

  private isGoing(id: string): boolean {
    const entry = this.unsent.get(id)
    return entry !== undefined && entry.state !== 'parked' && !this.isHeldBack(entry)
  }

  readonly isUpload = ({ op }: OutboxEntry): boolean => this.operations[op]?.isUpload === true

  private urgencyOf({ op }: OutboxEntry): number {
    return this.operations[op]?.urgency ?? 1
  }

  /** Forgets all but what is under way: the database is being read anew. */
  private clear(): void {
    this.lanes.clear()
    this.unsent.clear()
    this.unreadable.clear()
  }

  private replace(entry: OutboxEntry): void {
    const entries = this.lanes.get(this.queueOf(entry))
    const at = entries?.findIndex(({ id }) => id === entry.id) ?? -1
    if (!entries || at < 0) return
    entries[at] = entry
    this.unsent.set(entry.id, entry)
  }

  private drop(entry: OutboxEntry): void {
    this.unsent.delete(entry.id)
    const lane = this.queueOf(entry)
    const rest = (this.lanes.get(lane) ?? []).filter((each) => each.id !== entry.id)
    if (rest.length > 0) this.lanes.set(lane, rest)
    else this.lanes.delete(lane)
  }

  private move(from: string, to: string): void {
    const moved = [...this.unsent.values()].filter((entry) => laneOf(entry) === from)
    for (const entry of moved) {
      this.lanes.delete(this.queueOf(entry))
      this.unsent.delete(entry.id)
    }
    this.add(moved.map((entry) => ({ ...entry, lane: to })))
  }

  /** What an entry waits in line with: its lane, or those of it that nothing else waits for (S72). */
  private queueOf(entry: OutboxEntry): string {
    return this.isAside(entry) ? `${laneOf(entry)} aside` : laneOf(entry)
  }

  /** Something of its lane that was made before an entry aside is still to be sent. */
  private isBehind(entry: OutboxEntry): boolean {
    if (!this.isAside(entry)) return false
    const [first] = this.lanes.get(laneOf(entry)) ?? []
    return first !== undefined && first.seq < entry.seq
  }

  private isAside({ op }: OutboxEntry): boolean {
    return this.operations[op]?.isAside === true
  }
}

const laneOf = (entry: OutboxEntry) => `${entry.account} ${entry.lane}`
