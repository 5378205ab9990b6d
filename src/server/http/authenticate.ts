import type { Actor } from '#domain/deliveries/delivery.ts'
import { trackTokenPattern } from '#domain/deliveries/handover/handover-link.ts'
import { Refusal } from '#domain/errors.ts'
import { lifetimeOf } from '#domain/personal/retention.ts'
import { isOffice } from '#domain/users/user.ts'
import type { Access } from '#operations/endpoint.ts'
import type { Ports } from '../ports/ports.ts'
import type { Stores } from '../ports/repo.ts'
import { isGuestToken } from '../ports/secrets.ts'
import type { FoundSession } from '../ports/stores/account-stores.ts'

/** Who makes a request, and the hash of the token they sent: of a session, a guest or a recipient (R111). */
export type Caller = { actor?: Actor; session?: string; guest?: string; track?: string }

const day = 24 * 60 * 60 * 1000
/** Milliseconds a session lives unused, and at most (R12). Its use is recorded once a day. */
export const sessionLifetime = {
  unused: lifetimeOf('unusedSession'),
  whole: lifetimeOf('session'),
}

/** Milliseconds a guest's token lives after their delivery was approved or cancelled. */
export const guestTokenLifetime = lifetimeOf('guestToken')

type Needs = Pick<Ports, 'repo' | 'secrets' | 'clock'>

/**
 * Who the token of an `Authorization` header belongs to. Nobody, when the header is missing, the token
 * is unknown or it has expired. A session that was unused for a day is marked as used now.
 */
export async function authenticate(ports: Needs, authorization: string | null): Promise<Caller> {
  const token = readToken(authorization)
  if (!token) return {}
  const hash = ports.secrets.hash(token)
  if (trackTokenPattern.test(token)) return { track: hash }
  return ports.repo.read(async (stores) => {
    if (isGuestToken(token))
      return guestCaller(hash, await stores.guestTokens.find(hash, endedBefore(ports)))
    return sessionCaller(ports, stores, hash, await stores.sessions.find(hash))
  })
}

/** As `authenticate`, for people and guests: one question for all of them, in their order. */
export async function authenticateAll(
  ports: Needs,
  authorizations: readonly string[],
): Promise<Caller[]> {
  const tokens = authorizations.map(readToken)
  const hashes = tokens.map((token) => ports.secrets.hash(token ?? ''))
  const isGuest = tokens.map((token = '') => isGuestToken(token))
  return ports.repo.read(async (stores) => {
    const [guests, sessions] = await Promise.all([
      stores.guestTokens.findMany(
        hashes.filter((_, at) => isGuest[at]),
        endedBefore(ports),
      ),
      stores.sessions.findMany(hashes.filter((_, at) => !isGuest[at])),
    ])
    return Promise.all(
      hashes.map((hash, at) =>
        isGuest[at]
          ? guestCaller(hash, guests.get(hash))
          : sessionCaller(ports, stores, hash, sessions.get(hash)),
      ),
    )
  })
}

const readToken = (authorization: string | null) =>
  authorization?.match(/^bearer +([\w-]{20,100})$/i)?.[1]

const endedBefore = ({ clock }: Needs) => new Date(clock() - guestTokenLifetime).toISOString()

const guestCaller = (guest: string, guestOf: string | undefined): Caller =>
  guestOf ? { actor: { guestOf }, guest } : {}

async function sessionCaller(
  { clock }: Needs,
  { sessions }: Stores,
  hash: string,
  found: FoundSession | undefined,
): Promise<Caller> {
  const idle = found ? clock() - Date.parse(found.usedAt) : 0
  const age = found ? clock() - Date.parse(found.createdAt) : 0
  if (!found || idle > sessionLifetime.unused || age > sessionLifetime.whole) return {}
  if (idle > day) await sessions.touch(hash, new Date(clock()).toISOString())
  return { actor: { user: found.user }, session: hash }
}

/**
 * Lets a caller make a call of this kind, or throws. Refusals: no-session, not-allowed, support (R210), not-a-driver, not-found.
 * What a caller may do with one row is the handler's to decide.
 */
export function authorize(by: Access, { actor, track }: Caller): void {
  if (by === 'anyone' || by === 'anyone-or-person' || by === 'anyone-or-caller') return
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
  if (by !== 'office' && by !== 'admin') return
  if (!isOffice(actor.user)) throw new Refusal('not-allowed')
  if (by === 'admin' && actor.user.role === 'support') throw new Refusal('support')
}
