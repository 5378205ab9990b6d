import {
  type Actor,
  accept,
  approve,
  attachProof,
  cancel,
  type Delivery,
  deliver,
  isActiveJob,
  isDriverOf,
  isSenderOf,
  pickUp,
} from './delivery.ts'
import { Refusal } from './errors.ts'
import { contact, isApprovedDriver, type User } from './user.ts'

export type Action = 'accept' | 'pickUp' | 'deliver' | 'attachProof' | 'approve' | 'cancel'

const now = { at: '' }
const rules: Record<Action, (delivery: Delivery, actor: Actor) => unknown> = {
  accept: (delivery, actor) => accept(delivery, person(actor), now),
  pickUp: (delivery, actor) => pickUp(delivery, person(actor), now),
  deliver: (delivery, actor) => deliver(delivery, person(actor), now),
  attachProof: (delivery, actor) => attachProof(delivery, person(actor), '', ''),
  approve: (delivery, actor) => approve(delivery, actor, now),
  cancel: (delivery, actor) => cancel(delivery, actor, now),
}

/** Whether a button for this action belongs on the screen: the rule itself is asked, so the two cannot drift. */
export function can(actor: Actor | undefined, action: Action, delivery: Delivery): boolean {
  if (!actor) return false
  try {
    rules[action](delivery, actor)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/**
 * The part of a delivery its reader may see, or `undefined` when they may not know of it
 * (interfaces: who sees and does what). The delivery code goes to its sender, its guest and admins alone.
 */
export function seenBy(viewer: Actor | undefined, delivery: Delivery): Delivery | undefined {
  if (!viewer) return undefined
  if ('user' in viewer && viewer.user.role === 'admin') return delivery
  if (isSenderOf(delivery, viewer)) return delivery
  if (!('user' in viewer)) return undefined
  if (isDriverOf(delivery, viewer.user)) return jobOf(delivery, viewer.user)
  if (isApprovedDriver(viewer.user) && delivery.status === 'Pending') return advert(delivery)
  return undefined
}

/** A driver's own job. One who is not approved any more keeps no job, and of past ones no names or numbers. */
function jobOf(delivery: Delivery, driver: User): Delivery | undefined {
  if (isApprovedDriver(driver)) return withoutCode(delivery)
  if (isActiveJob(delivery)) return undefined
  const { history } = delivery
  return { ...advert(delivery), driver: contact(driver), history }
}

function withoutCode(delivery: Delivery): Delivery {
  const { deliveryCode: _, ...rest } = delivery
  return rest
}

/** What a driver browsing sees: item, zones, offer and photo, nobody's name or number. */
function advert(delivery: Delivery): Delivery {
  const { ID, status, itemDescription, pickupZone, dropoffZone, offer, itemPhoto } = delivery
  const { isGuestDelivery, createdAt, updatedAt } = delivery
  return {
    ...{ ID, status, itemDescription, pickupZone, dropoffZone, offer, itemPhoto },
    ...{ isGuestDelivery, createdAt, updatedAt },
  }
}

function person(actor: Actor) {
  if (!('user' in actor)) throw new Refusal('not-allowed')
  return actor.user
}
