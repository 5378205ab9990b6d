import type { Actor } from '#domain/deliveries/delivery.ts'
import type { Ports } from '../ports/ports.ts'
import { personKey } from '../ports/stores/request-store.ts'
import { countOrRefuse, TooManyAttempts } from './rate-limits.ts'

/** Accounts that this process knows to be refused, at most. */
const mostRefused = 10_000

/**
 * Limits the changes that one account, or one guest's token, asks for (R140): refused ones too, an admin's never.
 * Each is counted before its work, by a statement of its own, so that it stays counted when the work is undone. Who is
 * beyond the limit costs no statement until the time is over.
 */
export function changeLimit({
  repo,
  secrets,
  options,
}: Pick<Ports, 'repo' | 'secrets' | 'options'>) {
  const { changes } = options.limits
  /** Until when each is refused, in milliseconds since 1970. */
  const refused = new Map<string, number>()

  const isLimited = (actor: Actor) => !('user' in actor && actor.user.role === 'admin')

  /** The refusal of somebody whom this process knows to be beyond the limit. */
  function known(actor: Actor | undefined, at: string): TooManyAttempts | undefined {
    if (!actor || !isLimited(actor)) return undefined
    const left = (refused.get(personKey(actor)) ?? 0) - Date.parse(at)
    // Set back, the clock must refuse nobody for longer.
    const isRefused = left > 0 && left <= changes.within
    return isRefused ? new TooManyAttempts(Math.ceil(left / 1_000), changes.name) : undefined
  }

  /**
   * `request`: the ID of a stored answer, whose repeat does not count; `isNew` where the caller has looked for it.
   * Throws `TooManyAttempts`.
   */
  async function count(
    actor: Actor | undefined,
    at: string,
    request?: string,
    isNew = request === undefined,
  ): Promise<void> {
    if (!actor || !isLimited(actor)) return
    const refusal = isNew && known(actor, at)
    if (refusal) throw refusal
    const subject = personKey(actor)
    try {
      await repo.read((stores) => countOrRefuse(stores, secrets, changes, subject, at, request))
    } catch (error) {
      if (!(error instanceof TooManyAttempts)) throw error
      if (refused.size >= mostRefused) refused.clear()
      refused.set(subject, Date.parse(at) + error.retryAfter * 1_000)
      throw error
    }
  }

  return { known, count }
}
