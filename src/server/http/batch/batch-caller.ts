import type { Op } from '#contract/endpoints.ts'
import type { Ports } from '../../ports/ports.ts'
import { authenticate, type Caller } from '../authenticate.ts'

/**
 * Milliseconds for which one authentication is reused. Until then a session that ended elsewhere still counts,
 * as for a single call that was authenticated just before. Accounts are read again in the transaction of each
 * operation.
 */
const validFor = 1_000

/** Operations that may end the session of the token. */
const endsSessions = new Set<Op>(['logout', 'endSession'])

export type BatchCaller = ReturnType<typeof batchCaller>

/** Who makes a batch: the token is looked up once a second, and again after an operation that may end it (R88). */
export function batchCaller(ports: Ports, authorization: string | null) {
  let known: { caller: Promise<Caller>; at: number } | undefined
  const forget = () => {
    known = undefined
  }
  return {
    async get(): Promise<Caller> {
      if (!known || performance.now() - known.at > validFor) {
        const caller = authenticate(ports, authorization)
        known = { caller, at: performance.now() }
        caller.catch(forget)
      }
      return known.caller
    },
    /** Call it once an operation has been answered. */
    answered(op: Op) {
      if (endsSessions.has(op)) forget()
    },
  }
}
