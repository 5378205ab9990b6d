import { Refusal } from '../errors.ts'
import { contactOf, isApprovedDriver, type User } from '../users/user.ts'
import {
  type ActionTime,
  type Actor,
  type Delivery,
  isActiveJob,
  isDriverOf,
  isSenderOf,
} from './delivery.ts'
import { accept, approve, attachProof, cancel, deliver, pickUp } from './transitions.ts'

/** What a person can do to a delivery that exists. The names are also those of the queued operations. */
export type Action =
  | 'acceptDelivery'
  | 'pickUpDelivery'
  | 'completeDelivery'
  | 'attachProof'
  | 'approveDelivery'
  | 'cancelDelivery'

/** An action with what it carries. `proofOfDelivery` is a photo's URL, empty while it is not uploaded. */
export type DeliveryOperation =
  | { op: Exclude<Action, 'attachProof'> }
  | { op: 'attachProof'; proofOfDelivery: string }

type Rule = (delivery: Delivery, actor: Actor, when: ActionTime, proof: string) => Delivery

/** The rule of each action (R24 to R28). */
const rules: Record<Action, Rule> = {
  acceptDelivery: (delivery, actor, when) => accept(delivery, personIn(actor), when),
  pickUpDelivery: (delivery, actor, when) => pickUp(delivery, personIn(actor), when),
  completeDelivery: (delivery, actor, when) => deliver(delivery, personIn(actor), when),
  attachProof: (delivery, actor, when, proof) =>
    attachProof(delivery, personIn(actor), proof, when.at),
  approveDelivery: approve,
  cancelDelivery: cancel,
}

/** The delivery as the rules expect it after this operation. Throws the rule's Refusal. */
export function predict(
  delivery: Delivery,
  intent: DeliveryOperation,
  actor: Actor,
  when: ActionTime,
): Delivery {
  const proof = intent.op === 'attachProof' ? intent.proofOfDelivery : ''
  return rules[intent.op](delivery, actor, when, proof)
}

/** Whether the screen offers this action: it asks the rule itself, so that the two cannot differ. */
export function can(actor: Actor | undefined, action: Action, delivery: Delivery): boolean {
  if (!actor) return false
  try {
    rules[action](delivery, actor, { at: '' }, '')
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** The part of a delivery this viewer may see (R50 to R54), or `undefined` when they may not know of it. */
export function visiblePart(viewer: Actor | undefined, delivery: Delivery): Delivery | undefined {
  if (!viewer) return undefined
  if ('user' in viewer && viewer.user.role === 'admin') return delivery
  if (isSenderOf(delivery, viewer)) return delivery
  if (!('user' in viewer)) return undefined
  if (isDriverOf(delivery, viewer.user)) return jobOf(delivery, viewer.user)
  if (isApprovedDriver(viewer.user) && delivery.status === 'Pending') return advertOf(delivery)
  return undefined
}

/** A driver's own job. A driver who is no longer approved sees no active job, and no names or numbers of past ones (R5). */
function jobOf(delivery: Delivery, driver: User): Delivery | undefined {
  if (isApprovedDriver(driver)) return withoutCode(delivery)
  if (isActiveJob(delivery)) return undefined
  const { history } = delivery
  return { ...advertOf(delivery), driver: contactOf(driver), history }
}

function withoutCode(delivery: Delivery): Delivery {
  const { deliveryCode: _, ...rest } = delivery
  return rest
}

/** What a driver who looks for jobs sees: item, zones, offer and photo; no name and no number (R51). */
export function advertOf(delivery: Delivery): Delivery {
  return {
    ID: delivery.ID,
    status: delivery.status,
    itemDescription: delivery.itemDescription,
    pickupZone: delivery.pickupZone,
    dropoffZone: delivery.dropoffZone,
    offer: delivery.offer,
    itemPhoto: delivery.itemPhoto,
    isGuestDelivery: delivery.isGuestDelivery,
    createdAt: delivery.createdAt,
    updatedAt: delivery.updatedAt,
  }
}

function personIn(actor: Actor): User {
  if (!('user' in actor)) throw new Refusal('not-allowed')
  return actor.user
}
