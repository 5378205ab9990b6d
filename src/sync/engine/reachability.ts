import type { Tools } from '../platform/context.ts'
import type { Pull } from '../pull/pull.ts'
import { backoff } from '../push/backoff.ts'
import type { Drained } from '../push/sender.ts'
import { noteReachable, noteTraffic } from '../status.ts'

/** `busy`: the server is there, and asks for patience; `silent`: nobody answers at all. */
export type Heard = 'answered' | 'busy' | 'silent'

export type Reach = ReturnType<typeof createReach>

const longestPause = 60_000

/** Whether anybody answers, and how long to leave them alone if not. `again`: somebody does, after silence. */
export function createReach(tools: Tools, again: () => void) {
  let unanswered = 0
  let answeredAt: number | undefined
  return {
    note: async (heard: Heard): Promise<void> => {
      const wasDown = unanswered > 0
      if (heard === 'answered') {
        unanswered = 0
        answeredAt = tools.clock.now()
      }
      if (heard === 'silent') unanswered++
      await noteReachable(tools, heard !== 'silent')
      if (heard === 'answered' && wasDown) again()
    },
    /** Writes down when there was an answer and what went over the network: once for many calls, to spare the disk. */
    record: async (): Promise<void> => {
      const at = answeredAt
      answeredAt = undefined
      await noteTraffic(tools, at)
    },
    /** Something of ours failed: a database closed under us, a full disk. Milliseconds until the next try. */
    failed: (): number => backoff(++unanswered + 2, tools.random),
    /** How long nobody is asked anything after nobody answered, milliseconds. */
    pause: (): number => Math.min(Math.max(1_000, backoff(unanswered, tools.random)), longestPause),
    forget: () => {
      unanswered = 0
    },
  }
}

export const heardIn = ({ result, answered }: Pull): Heard =>
  result !== 'unreachable' ? 'answered' : answered ? 'busy' : 'silent'

/** Nothing when nobody was asked. An answer that was only a failure says that somebody is there, no more. */
export const heardWhile = ({ reached, bytes }: Drained): Heard | undefined =>
  reached === undefined ? undefined : !reached ? 'silent' : bytes > 0 ? 'answered' : 'busy'
