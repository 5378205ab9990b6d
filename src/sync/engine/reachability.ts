import { noteReachable, noteTraffic } from '#store/database/device/traffic.ts'
import { backoff } from '#store/outbox/backoff.ts'
import type { SyncContext } from '../platform/context.ts'
import type { Drained } from '../push/sender.ts'
import type { Pull } from './product.ts'

/** `throttled`: the server is there, and asks for patience; `silent`: nobody answers at all. */
export type ServerContact = 'answered' | 'throttled' | 'silent'

export type Reachability = ReturnType<typeof createReachability>

const longestPause = 60_000

/** Whether anybody answers, and how long to leave them alone if not. `onBack`: somebody does, after silence. */
export function createReachability(
  { db, clock, random, traffic }: SyncContext,
  onBack: () => void,
) {
  let unanswered = 0
  let answeredAt: number | undefined
  return {
    note: async (contact: ServerContact): Promise<void> => {
      const wasDown = unanswered > 0
      if (contact === 'answered') {
        unanswered = 0
        answeredAt = clock.now()
      }
      if (contact === 'silent') unanswered++
      await noteReachable(db, contact !== 'silent')
      if (contact === 'answered' && wasDown) onBack()
    },
    /** Stores when there was an answer and what went over the network: once a round, to spare the disk (S25). */
    record: async (): Promise<void> => {
      const at = answeredAt
      answeredAt = undefined
      await noteTraffic(db, clock.now(), traffic.take(), at)
    },
    /** Something of ours failed: a database closed under us, a full disk. Milliseconds until the next try. */
    failed: (): number => backoff(++unanswered + 2, random),
    /** How long nobody is asked anything after nobody answered, milliseconds. */
    pause: (): number => Math.min(Math.max(1_000, backoff(unanswered, random)), longestPause),
    forget: () => {
      unanswered = 0
    },
  }
}

/** What a pull says about the server. */
export const contactFromPull = ({ result, answered }: Pull): ServerContact =>
  result !== 'unreachable' ? 'answered' : answered ? 'throttled' : 'silent'

/** Nothing when nobody was asked. A failure of the server counts as throttled. */
export const contactFromDrain = ({ reached, bytes }: Drained): ServerContact | undefined =>
  reached === undefined ? undefined : !reached ? 'silent' : bytes > 0 ? 'answered' : 'throttled'
