import { isApprovedDriver, isOffice, type User } from '#domain/users/user.ts'
import type { ListRef } from '#sync/lists/list-ref.ts'
import { offersRef } from '../deliveries/offered-route.ts'
import { offeredNow } from '../queries/account/offered-now.ts'
import { currentSession } from '../session.ts'
import type { SomaDb } from '../soma-db.ts'
import { guestSubscriptions, readForSubscriptions } from './guest-subscriptions.ts'

/**
 * What a person, or a guest of this phone, would miss while away. `watched`: what screens show; `now`:
 * milliseconds since 1970.
 */
export function ownSubscriptions(
  db: SomaDb,
  watched: readonly ListRef[],
  now: number,
): Promise<ListRef[]> {
  return readForSubscriptions(db, () => readSubscriptions(db, watched, now))
}

async function readSubscriptions(
  db: SomaDb,
  watched: readonly ListRef[],
  now: number,
): Promise<ListRef[]> {
  const session = await currentSession(db)
  const user = session && !session.expired ? session.user : undefined
  const guests = await guestSubscriptions(db, now)
  // Whoever looks at the jobs of a route needs no list of all of them (S50).
  const looksAtOffers = watched.some(isOffers)
  const standing = standingLists(user).filter((list) => !isOffers(list) || !looksAtOffers)
  if (!standing.some(isOffers)) return [...standing, ...guests]
  const { offered } = await offeredNow(db, now)
  return [...standing.map((list) => (isOffers(list) ? offersRef(offered) : list)), ...guests]
}

const isOffers = ({ kind }: ListRef) => kind === 'available'

/** Lists worth having before any screen asks. */
function standingLists(user: User | undefined): ListRef[] {
  const kinds = user ? [...kindsFor(user), 'me'] : []
  return kinds.map((kind) => ({ kind }))
}

function kindsFor(user: User): string[] {
  if (isOffice(user)) return []
  if (user.role !== 'driver') return ['sent']
  const driving = isApprovedDriver(user) ? ['jobs', 'available'] : ['jobs']
  return ['driverStatus', 'sent', ...driving]
}
