import { isDue } from '#store/outbox/backoff.ts'
import { isUnsent, type Operation, type OutboxEntry } from '#store/outbox/entry.ts'
import type { QueueChange } from '#store/outbox/turn.ts'
import { isReadable } from '#store/outbox/upgrades.ts'

/** Lanes that leave side by side (S34). */
export const lanesAtOnce = 6
/** Uploads among them, so that nothing urgent waits behind six of them. */
const uploadsAtOnce = 2

/**
 * What is unsent, as one sender knows it: lanes of entries, each in order (S3). An entry is under way
 * from when it is taken until its outcome is written.
 */
export class Lanes {
  private readonly lanes = new Map<string, OutboxEntry[]>()
  private readonly unsent = new Set<string>()
  private readonly underWay = new Map<string, OutboxEntry>()
  private readonly operations: Record<string, Operation>

  constructor(operations: Record<string, Operation>) {
    this.operations = operations
  }

  /** Takes in how the queue has changed in the database. */
  apply({ isWhole, added, changed, moved, accounts }: QueueChange): void {
    if (isWhole) this.clear()
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
      if (!isReadable(entry, this.operations)) continue
      const lane = laneOf(entry)
      const others = this.lanes.get(lane)
      if (others) others.push(entry)
      else this.lanes.set(lane, [entry])
      this.unsent.add(entry.id)
    }
  }

  /** The heads that may leave now, the most urgent first, as many as there is room for. */
  heads(room: number, isReady: (entry: OutboxEntry) => boolean): OutboxEntry[] {
    const ready: OutboxEntry[] = []
    for (const [lane, [head]] of this.lanes)
      if (head && !this.underWay.has(lane) && isReady(head) && this.parentsDone(head))
        ready.push(head)
    ready.sort(this.byUrgency)
    let uploads = [...this.underWay.values()].filter(this.isUpload).length
    const free = lanesAtOnce + room - this.underWay.size
    return ready
      .filter((entry) => !this.isUpload(entry) || uploads++ < uploadsAtOnce)
      .slice(0, free)
  }

  take(entry: OutboxEntry): void {
    this.underWay.set(laneOf(entry), entry)
  }

  release(entry: OutboxEntry): void {
    this.underWay.delete(laneOf(entry))
  }

  get isIdle(): boolean {
    return this.underWay.size === 0
  }

  /**
   * When the first of the waiting heads may be tried, milliseconds since 1970; one that waits for its
   * parent goes with that. `freeFrom`: until when another sender has it.
   */
  earliest(now: number, freeFrom: (entry: OutboxEntry) => number): number | undefined {
    const times = [...this.lanes.values()].flatMap(([head]) => {
      if (!head || !this.parentsDone(head)) return []
      return [Math.max(isDue(head, now) ? now : head.nextAt, freeFrom(head))]
    })
    return times.length === 0 ? undefined : Math.min(...times)
  }

  readonly byUrgency = (a: OutboxEntry, b: OutboxEntry): number =>
    this.urgencyOf(a) - this.urgencyOf(b) || a.seq - b.seq

  private parentsDone(entry: OutboxEntry): boolean {
    return !entry.after.some((parent) => this.unsent.has(parent))
  }

  private readonly isUpload = ({ op }: OutboxEntry): boolean =>
    this.operations[op]?.isUpload === true

  private urgencyOf({ op }: OutboxEntry): number {
    return this.operations[op]?.urgency ?? 1
  }

  /** Forgets all but what is under way: the database has just been read anew. */
  private clear(): void {
    this.lanes.clear()
    this.unsent.clear()
  }

  private replace(entry: OutboxEntry): void {
    const entries = this.lanes.get(laneOf(entry))
    const at = entries?.findIndex(({ id }) => id === entry.id) ?? -1
    if (entries && at >= 0) entries[at] = entry
  }

  private drop(entry: OutboxEntry): void {
    this.unsent.delete(entry.id)
    const lane = laneOf(entry)
    const rest = (this.lanes.get(lane) ?? []).filter((each) => each.id !== entry.id)
    if (rest.length > 0) this.lanes.set(lane, rest)
    else this.lanes.delete(lane)
  }

  private move(from: string, to: string): void {
    const entries = this.lanes.get(from)
    if (!entries) return
    this.lanes.delete(from)
    for (const entry of entries) this.unsent.delete(entry.id)
    this.add(entries.map((entry) => ({ ...entry, lane: to })))
  }
}

const laneOf = (entry: OutboxEntry) => `${entry.account} ${entry.lane}`
