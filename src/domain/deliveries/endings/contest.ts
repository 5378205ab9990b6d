import { Refusal } from '../../errors.ts'
import type { Actor, Delivery } from '../delivery.ts'
import { mustBeSenderOf } from '../transitions.ts'

/**
 * The sender or guest says that the driver has not picked the item up (R125): an admin decides, and the sender may
 * request anew. Once for a delivery. Refusals: not-allowed, unverified, wrong-status.
 */
export function contest(delivery: Delivery, actor: Actor, at: string): Delivery {
  mustBeSenderOf(delivery, actor)
  if (delivery.status !== 'Picked Up' || delivery.contested) throw new Refusal('wrong-status')
  return { ...delivery, contested: true, disputed: true, updatedAt: at }
}
