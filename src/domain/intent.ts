import {
  type Actor,
  accept,
  approve,
  attachProof,
  cancel,
  type Delivery,
  deliver,
  type Moment,
  pickUp,
} from './delivery.ts'
import { Refusal } from './errors.ts'

/** What a person means to happen to a delivery that exists; one for each queued mutation of one. */
export type Intent =
  | { op: 'acceptDelivery' }
  | { op: 'pickUpDelivery' }
  | { op: 'completeDelivery' }
  | { op: 'attachProof'; proofOfDelivery: string }
  | { op: 'approveDelivery' }
  | { op: 'cancelDelivery' }

/** What the rules foresee when this intent reaches the server. Throws the rule's Refusal. */
export function foresee(delivery: Delivery, intent: Intent, actor: Actor, when: Moment): Delivery {
  switch (intent.op) {
    case 'approveDelivery':
      return approve(delivery, actor, when)
    case 'cancelDelivery':
      return cancel(delivery, actor, when)
  }
  if (!('user' in actor)) throw new Refusal('not-allowed')
  switch (intent.op) {
    case 'acceptDelivery':
      return accept(delivery, actor.user, when)
    case 'pickUpDelivery':
      return pickUp(delivery, actor.user, when)
    case 'completeDelivery':
      return deliver(delivery, actor.user, when)
    case 'attachProof':
      return attachProof(delivery, actor.user, intent.proofOfDelivery, when.at)
  }
}
