import type { Actor } from '#domain/deliveries/delivery.ts'
import type { Limit } from '../ports/limits.ts'
import type { Ports } from '../ports/ports.ts'
import type { Stores } from '../ports/repo.ts'
import { countInWindow, TooManyAttempts } from './rate-limits.ts'

/** Who makes a call that is limited by address. `solved`: the challenge that came solved with it. */
export type AddressCaller = { address: string; actor?: Actor; solved?: string }

/** A call beyond a limit: `heat` is the ratio of calls to the limit. `retryAfter`: seconds. */
type Beyond = { name: string; retryAfter: number; heat: number }

/** Milliseconds for which a solved challenge is remembered: longer than it lives. */
const usedFor = 15 * 60_000

/**
 * Limits by network address, which thousands of phones may share (R64). Beyond one, each call brings a challenge solved
 * (R143). An account with a verified phone is counted by itself, and never asked for one.
 */
export function addressLimits({ secrets, options }: Pick<Ports, 'secrets' | 'options'>) {
  /** What a caller's calls are counted by. */
  const subjectOf = (caller: AddressCaller) => accountOf(caller) ?? caller.address

  /** Lets a call beyond a limit pass with a challenge that was not used before. Throws `TooManyAttempts`. */
  async function admit(stores: Stores, beyond: Beyond, caller: AddressCaller, at: string) {
    const { solved } = caller
    const mayProve = options.challenge !== undefined && !accountOf(caller)
    if (mayProve && solved !== undefined) {
      const limit = { name: 'solution', tries: 1, within: usedFor }
      const used = await countInWindow(stores, secrets, limit, solved, at)
      if (used?.count === 1) return
    }
    const { name, retryAfter, heat } = beyond
    throw new TooManyAttempts(retryAfter, name, mayProve ? heat : undefined)
  }

  /** Counts a call in the transaction of its effect. Throws `TooManyAttempts`. */
  async function count(stores: Stores, limit: Limit, caller: AddressCaller, at: string) {
    const { name, tries } = limit
    const counted = await countInWindow(stores, secrets, limit, subjectOf(caller), at)
    if (!counted || counted.count <= tries) return
    const { retryAfter } = counted
    await admit(stores, { name, retryAfter, heat: counted.count / tries }, caller, at)
  }

  return { subjectOf, admit, count }
}

const accountOf = ({ actor }: AddressCaller) =>
  actor && 'user' in actor && actor.user.Verified ? `account ${actor.user.ID}` : undefined
