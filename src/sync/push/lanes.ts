import type { Entry, OutboxOp } from '#store/deliveries/operations.ts'
import { isSound } from '#store/outbox/enqueue.ts'
import { isDue } from './backoff.ts'

/** Lanes that leave side by side. */
export const lanesAtOnce = 6
/** Photos among them, so that an accept never waits behind six uploads. */
const photosAtOnce = 2

/**
 * What is unsent, as one drain knows it: lanes of entries, each in order. An entry is under way from
 * when it is taken until its outcome is written.
 */
export class Queue {
  private readonly lanes = new Map<string, Entry[]>()
  private readonly unsent = new Set<string>()
  private readonly underWay = new Map<string, Entry>()

  /** `entries` in order of `seq`. */
  add(entries: readonly Entry[]): void {
    for (const entry of entries.filter(isSound)) {
      const lane = laneOf(entry)
      const others = this.lanes.get(lane)
      if (others) others.push(entry)
      else this.lanes.set(lane, [entry])
      this.unsent.add(entry.id)
    }
  }

  /** Forgets what it knew but for what is under way: the database is about to be read anew. */
  clear(): void {
    this.lanes.clear()
    this.unsent.clear()
  }

  drop(entry: Entry): void {
    this.unsent.delete(entry.id)
    const lane = laneOf(entry)
    const rest = (this.lanes.get(lane) ?? []).filter((each) => each.id !== entry.id)
    if (rest.length > 0) this.lanes.set(lane, rest)
    else this.lanes.delete(lane)
  }

  /** The heads that may leave now, the most urgent first, as many as there is room for. */
  heads(room: number, isReady: (entry: Entry) => boolean): Entry[] {
    const ready: Entry[] = []
    for (const [lane, [head]] of this.lanes)
      if (head && !this.underWay.has(lane) && isReady(head) && this.hasItsParents(head))
        ready.push(head)
    ready.sort(byUrgency)
    let photos = [...this.underWay.values()].filter(isPhoto).length
    const free = lanesAtOnce + room - this.underWay.size
    return ready.filter((entry) => !isPhoto(entry) || photos++ < photosAtOnce).slice(0, free)
  }

  private hasItsParents(entry: Entry): boolean {
    return !entry.after.some((parent) => this.unsent.has(parent))
  }

  take(entry: Entry): void {
    this.underWay.set(laneOf(entry), entry)
  }

  giveBack(entry: Entry): void {
    this.underWay.delete(laneOf(entry))
  }

  get isIdle(): boolean {
    return this.underWay.size === 0
  }

  /**
   * When the first of the waiting heads may be tried, milliseconds since 1970; one that waits for its
   * parent goes with that. `freeFrom`: until when another sender has it.
   */
  earliest(now: number, freeFrom: (entry: Entry) => number): number | undefined {
    const times = [...this.lanes.values()].flatMap(([head]) => {
      if (!head || !this.hasItsParents(head)) return []
      return [Math.max(isDue(head, now) ? now : head.nextAt, freeFrom(head))]
    })
    return times.length === 0 ? undefined : Math.min(...times)
  }
}

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

export const byUrgency = (a: Entry, b: Entry): number =>
  urgency(a.op) - urgency(b.op) || a.seq - b.seq
