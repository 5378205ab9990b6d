import { noteReachable, noteTraffic } from '../database/device/traffic.ts'
import type { Drained, Pull } from '../model.ts'
import type { SyncContext } from '../platform/context.ts'
import { pauseAfter } from './failure-pause.ts'

/** `throttled`: the server is there, and asks for patience; `silent`: nobody responds at all. */
type ServerContact = 'responded' | 'throttled' | 'silent'

export type Reachability = ReturnType<typeof createReachability>

/** Milliseconds for which a response shows that the server is there. */
const recently = 10_000
/** The same where something that was sent had no response: whoever looks at it should not wait so long. */
const justNow = 2_000

/**
 * Whether anybody responds, judged over all lists and the sender together by their last contacts (S47);
 * the device's own word counts for nothing. `onBack`: somebody responds, after nobody did.
 */
export function createReachability({ db, clock, traffic }: SyncContext, onBack: () => void) {
  /** When each list, or the sender, last had a response; without those that have been silent since. */
  const respondedBy = new Map<string, number>()
  let isDown = false
  let isInDoubt = false
  let faults = 0
  let respondedAt: number | undefined

  const newest = () => [...respondedBy].sort(([, a], [, b]) => b - a)[0]
  const isMoving = () =>
    traffic.movedAt !== undefined && clock.monotonic() - traffic.movedAt <= recently

  /** Stores what the contacts say together. */
  async function judge(within = recently): Promise<void> {
    const last = newest()
    const isFresh = last !== undefined && clock.monotonic() - last[1] <= within
    isInDoubt = last !== undefined && !isFresh
    // A file that goes up may fill a slow line, so that nobody else has a response in time.
    if (isInDoubt || (!isFresh && isMoving())) return
    const wasDown = isDown
    isDown = !isFresh
    await noteReachable(db, isFresh)
    if (wasDown && isFresh) onBack()
  }

  return {
    /** What became of one request of a list, or of the sender. */
    note: async (source: string, contact: ServerContact): Promise<void> => {
      if (contact === 'silent') respondedBy.delete(source)
      else respondedBy.set(source, clock.monotonic())
      if (contact === 'responded') respondedAt = clock.now()
      // A doubt of the sender's is settled by the list asked next, within the same time.
      const isSoon = contact === 'silent' && (source === 'outbox' || isInDoubt)
      await judge(isSoon ? justNow : recently)
    },
    /** The source to ask before it is said that nobody responds; nothing when that is clear. */
    inDoubt: (): string | undefined => (isInDoubt ? newest()?.[0] : undefined),
    /** Whoever was asked did not respond either, or there is nobody to ask. */
    settleDoubt: async (): Promise<void> => {
      if (!isInDoubt) return
      respondedBy.clear()
      await judge()
    },
    /** Stores when there was a response and what went over the network: once a round, to spare the disk (S25). */
    record: async (): Promise<void> => {
      const at = respondedAt
      respondedAt = undefined
      await noteTraffic(db, clock.now(), traffic.take(), at)
    },
    /** Something of ours failed: a database closed under us, a full disk. Milliseconds until the next try. */
    failed: (random: () => number): number => pauseAfter(++faults, random),
    /** Nothing of ours fails any more. */
    worked: (): void => {
      faults = 0
    },
  }
}

/** What a pull says about the server. */
export const contactFromPull = ({ result, responded }: Pull): ServerContact =>
  result !== 'unreachable' ? 'responded' : responded ? 'throttled' : 'silent'

/** Nothing when nobody was asked. A failure of the server counts as throttled. */
export const contactFromDrain = ({ reached, bytes }: Drained): ServerContact | undefined =>
  reached === undefined ? undefined : !reached ? 'silent' : bytes > 0 ? 'responded' : 'throttled'
