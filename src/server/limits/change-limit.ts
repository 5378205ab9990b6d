import type { Actor } from '#domain/deliveries/delivery.ts'
import { isOffice } from '#domain/users/user.ts'
import type { Ports } from '../ports/ports.ts'
import { personKey } from '../ports/stores/request-store.ts'
import { countOrRefuse, TooManyAttempts } from './rate-limits.ts'

/** The most refused accounts that this process remembers. */
const mostRefused = 10_000

/**
 * Limits the changes of one account or guest's token (R140). Refused changes count too; the office has no limit.
 * Each is counted in a statement of its own before the work, so that a rollback does not undo the count. A
 * caller over the limit is refused from memory, without a statement, until the window ends.
 */
export function changeLimit({
  repo,
  secrets,
  options,
}: Pick<Ports, 'repo' | 'secrets' | 'options'>) {
  const { changes } = options.limits
  /** When the refusal of each account ends, milliseconds since 1970. */
  const refused = new Map<string, number>()

  const isLimited = (actor: Actor) => !('user' in actor && isOffice(actor.user))

  /** The refusal of a caller whom this process knows to be over the limit. */
  function known(actor: Actor | undefined, at: string): TooManyAttempts | undefined {
    if (!actor || !isLimited(actor)) return undefined
    const left = (refused.get(personKey(actor)) ?? 0) - Date.parse(at)
    // A clock that was set back must not prolong a refusal.
    const isRefused = left > 0 && left <= changes.within
    return isRefused ? new TooManyAttempts(Math.ceil(left / 1_000), changes.name) : undefined
  }

  /**
   * `request`: the ID of a stored response, whose repeat does not count; `isNew` where the caller has looked for it.
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
