import type { OutboxEntry } from '../database/entry.ts'
import type { Leased } from '../model.ts'

/** Calls side by side where the backend takes no batch; uploads among them have their own limit (S34). */
export const callsAtOnce = 6
const uploadsAtOnce = 2

/** Entries of one request: an upload, one call, or a batch. */
export type Departing = { entries: Leased[]; isUpload: boolean }

/** The requests of one sender: those leased and ready to leave, and those under way. */
export class RequestSlots {
  private ready: Departing[] = []
  private readonly underWay = new Set<Departing>()

  /** What was leased is ready to leave; calls of one group in one request. */
  add(
    leased: readonly Leased[],
    isUpload: (entry: OutboxEntry) => boolean,
    groupOf: (entry: OutboxEntry) => string,
  ): void {
    const uploads = leased.filter(({ entry }) => isUpload(entry))
    const calls = leased.filter(({ entry }) => !isUpload(entry))
    const groups = new Map<string, Leased[]>()
    for (const each of calls) {
      const group = groupOf(each.entry)
      groups.set(group, [...(groups.get(group) ?? []), each])
    }
    for (const entries of groups.values()) this.ready.push({ entries, isUpload: false })
    for (const each of uploads) this.ready.push({ entries: [each], isUpload: true })
  }

  /** The next request for which there is a slot; it counts as under way from here on. */
  take(): Departing | undefined {
    const next = this.ready.find((each) => this.isFree(each))
    if (!next) return undefined
    this.ready = this.ready.filter((each) => each !== next)
    this.underWay.add(next)
    return next
  }

  release(departing: Departing): void {
    this.underWay.delete(departing)
  }

  /** Takes back what is ready and has not left. */
  clearReady(): Leased[] {
    const left = this.ready.flatMap(({ entries }) => entries)
    this.ready = []
    return left
  }

  /** Requests under way. */
  get underWayCount(): number {
    return this.underWay.size
  }

  /** Slots that are neither taken nor promised to what is ready. */
  get free(): { uploads: number; calls: number } {
    const requests = [...this.ready, ...this.underWay]
    const uploads = requests.filter(({ isUpload }) => isUpload).length
    const calls = requests.length - uploads
    return { uploads: uploadsAtOnce - uploads, calls: callsAtOnce - calls }
  }

  private isFree({ isUpload }: Departing): boolean {
    const alike = [...this.underWay].filter((each) => each.isUpload === isUpload)
    return alike.length < (isUpload ? uploadsAtOnce : callsAtOnce)
  }
}
