import type { Access } from '#contract/endpoints.ts'
import type { Actor } from '#domain/deliveries/delivery.ts'
import { trackTokenPattern } from '#domain/deliveries/handover-link.ts'
import { Refusal } from '#domain/errors.ts'
import type { Ports } from '../ports/ports.ts'
import { isGuestToken } from '../ports/secrets.ts'

/** Who makes a request, and the hash of the token they sent: of a session, a guest or a recipient (R111). */
export type Caller = { actor?: Actor; session?: string; guest?: string; track?: string }

const day = 24 * 60 * 60 * 1000
/** Milliseconds a session lives unused, and at most (R12). Its use is recorded once a day. */
export const sessionLifetime = { unused: 90 * day, whole: 180 * day }

/** Milliseconds a guest's token lives after their delivery was approved or cancelled. */
export const guestTokenLifetime = 30 * day

/**
 * Who the token of an `Authorization` header belongs to. Nobody, when the header is missing, the token
 * is unknown or it has expired. A session that was unused for a day is marked as used now.
 */
export async function authenticate(
  { repo, secrets, clock }: Ports,
  authorization: string | null,
): Promise<Caller> {
  const token = authorization?.match(/^bearer +([\w-]{20,100})$/i)?.[1]
  if (!token) return {}
  const hash = secrets.hash(token)
  if (trackTokenPattern.test(token)) return { track: hash }
  return repo.read(async ({ sessions, guestTokens }) => {
    if (isGuestToken(token)) {
      const endedBefore = new Date(clock() - guestTokenLifetime).toISOString()
      const guestOf = await guestTokens.find(hash, endedBefore)
      return guestOf ? { actor: { guestOf }, guest: hash } : {}
    }
    const found = await sessions.find(hash)
    const idle = found ? clock() - Date.parse(found.usedAt) : 0
    const age = found ? clock() - Date.parse(found.createdAt) : 0
    if (!found || idle > sessionLifetime.unused || age > sessionLifetime.whole) return {}
    if (idle > day) await sessions.touch(hash, new Date(clock()).toISOString())
    return { actor: { user: found.user }, session: hash }
  })
}

/**
 * Lets a caller make a call of this kind, or throws. Refusals: no-session, not-allowed, not-a-driver, not-found.
 * What a caller may do with one row is the handler's to decide.
 */
export function authorize(by: Access, { actor, track }: Caller): void {
  if (by === 'anyone' || by === 'anyone-or-person') return
  if (by === 'recipient') {
    if (!track) throw new Refusal(actor ? 'not-found' : 'no-session')
    return
  }
  if (!actor) throw new Refusal('no-session')
  if (by === 'person-or-guest') return
  if (by === 'guest') {
    if ('user' in actor) throw new Refusal('not-allowed')
    return
  }
  // A guest's token opens the three calls above and no others (R54).
  if (!('user' in actor)) throw new Refusal('no-session')
  if (by === 'driver' && actor.user.role !== 'driver') throw new Refusal('not-a-driver')
  if (by === 'admin' && actor.user.role !== 'admin') throw new Refusal('not-allowed')
}
