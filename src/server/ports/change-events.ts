import { type Actor, type Delivery, isOnOffer } from '#domain/deliveries/delivery.ts'
import { advertOf } from '#domain/deliveries/permissions.ts'
import { isApprovedDriver, isOffice } from '#domain/users/user.ts'
import { matchesRoute, type Route, type StreamRoutes } from './job-routes.ts'

/**
 * What changed, and who may learn of it (R75). It names the row: each receiver fetches the part they may
 * see. Only drivers who look at a job's route get its advert with it (R95).
 */
export type ChangeEvent = {
  /** What to read again: one delivery, lists, or the person's own account. */
  about:
    | 'delivery'
    | 'zones'
    | 'items'
    | 'config'
    | 'users'
    | 'drivers'
    | 'disputes'
    | 'activities'
    | 'me'
  id?: string
  /** User IDs; about `me` also IDs of deliveries, whose guest tokens have ended. */
  to: string[]
  admins?: boolean
  /** Approved drivers who are looking for jobs; with `offer` those who look at its route. */
  drivers?: boolean
  everyone?: boolean
  offer?: Offer
}

/** A job that is or was on offer; `job` is what drivers see of it, absent when it left their list. */
type Offer = { route: Route; job?: Delivery }

/** Who listens, and to which routes. */
export type Receiver = { actor: Actor; routes: StreamRoutes }

/**
 * Which form of the event this receiver gets: the advert, or only what changed; `undefined` for none. A guest
 * hears of their own delivery alone (R97).
 */
export function formFor(
  { actor, routes }: Receiver,
  event: ChangeEvent,
): 'advert' | 'change' | undefined {
  if ('guestOf' in actor) {
    // An event that admins do not get is for one driver: they have lost the job.
    const isOwn = event.about === 'delivery' && event.id === actor.guestOf && event.admins
    return isOwn ? 'change' : undefined
  }
  const { user } = actor
  const isAddressed = event.everyone || event.to.includes(user.ID)
  if (isAddressed || (event.admins && isOffice(user))) return 'change'
  if (!event.drivers || !isApprovedDriver(user)) return undefined
  // A process of the version before publishes no offer.
  if (!event.offer) return 'change'
  return matchesRoute(routes, event.offer.route) ? 'advert' : undefined
}

/** The event of a changed delivery: for its two parties and admins, and for drivers while it is or was on offer. */
export function deliveryChanged(delivery: Delivery, before?: Delivery): ChangeEvent {
  const { ID, pickupZone, dropoffZone } = delivery
  const to = [delivery.sender?.id, delivery.driver?.id].filter((id) => id !== undefined)
  const event: ChangeEvent = { about: 'delivery', id: ID, to, admins: true, drivers: false }
  const isOffered = isOnOffer(delivery)
  if (!isOffered && !(before && isOnOffer(before))) return event
  const job = isOffered ? advertOf(delivery) : undefined
  return { ...event, drivers: true, offer: { route: [pickupZone, dropoffZone], job } }
}
