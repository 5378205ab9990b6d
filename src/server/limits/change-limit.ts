import type { Actor } from '#domain/deliveries/delivery.ts'
import { personKey } from '../http/idempotency.ts'
import type { Ports } from '../ports/ports.ts'
import { countOrRefuse } from './rate-limits.ts'

/**
 * Limits the changes that one account, or one guest's token, asks for (R140): refused ones too, an admin's never.
 * Each is counted before its work, by a statement of its own, so that it stays counted when the work is undone.
 */
export function changeLimit({
  repo,
  secrets,
  options,
}: Pick<Ports, 'repo' | 'secrets' | 'options'>) {
  const { changes } = options.limits
  /** `request`: the ID of a stored answer, whose repeat does not count. Throws `TooManyAttempts`. */
  return async (actor: Actor | undefined, at: string, request?: string): Promise<void> => {
    if (!actor || ('user' in actor && actor.user.role === 'admin')) return
    const subject = personKey(actor)
    await repo.read((stores) => countOrRefuse(stores, secrets, changes, subject, at, request))
  }
}
