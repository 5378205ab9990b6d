import { Refusal } from '../errors.ts'
import { contactOf, isApprovedDriver, type User } from '../users/user.ts'
import {
  type ActionTime,
  type Actor,
  type Delivery,
  isDriverOf,
  isSenderOf,
  type Status,
} from './delivery.ts'

/*
 *   Pending ──accept──▶ Accepted ──pickUp──▶ Picked Up ──deliver──▶ Delivered ──approve──▶ Approved
 *      │                   │                     │
 *      │   ▲               │                     │
 *      │   └────release────┤ (the driver was rejected, R5)
 *      └──cancel (sender,  └──cancel (admin)     └──cancel (admin)
 *          guest, admin)            all three to Cancelled
 */

/** A driver accepts a job (R24). Refusals: not-a-driver, driver-not-approved, unverified, own-delivery, taken. */
export function accept(delivery: Delivery, driver: User, when: ActionTime): Delivery {
  if (driver.role !== 'driver') throw new Refusal('not-a-driver')
  if (!isApprovedDriver(driver)) throw new Refusal('driver-not-approved')
  if (!driver.Verified) throw new Refusal('unverified')
  if (delivery.sender?.id === driver.ID) throw new Refusal('own-delivery')
  if (delivery.status !== 'Pending') throw new Refusal('taken')
  return next(delivery, 'Accepted', when, { driver: contactOf(driver) })
}

/** Puts the job of a rejected driver back on offer (R5). Refusal: wrong-status. */
export function returnToPending(delivery: Delivery, when: ActionTime): Delivery {
  if (delivery.status !== 'Accepted') throw new Refusal('wrong-status')
  const { driver: _, ...offered } = delivery
  return next(offered, 'Pending', when)
}

/** The driver has the item (R25). Refusals: not-allowed, driver-not-approved, unverified, wrong-status. */
export function pickUp(delivery: Delivery, driver: User, when: ActionTime): Delivery {
  mustBeDriverOf(delivery, driver)
  if (delivery.status !== 'Accepted') throw new Refusal('wrong-status')
  return next(delivery, 'Picked Up', when)
}

/**
 * The item is handed over (R25). The server compares the delivery code: a driver's phone never holds
 * it (R50), so the phone can predict this rule without it.
 * Refusals: not-allowed, driver-not-approved, unverified, wrong-status.
 */
export function deliver(delivery: Delivery, driver: User, when: ActionTime): Delivery {
  mustBeDriverOf(delivery, driver)
  if (delivery.status !== 'Picked Up') throw new Refusal('wrong-status')
  return next(delivery, 'Delivered', when)
}

/** The sender or guest confirms, which releases the payment (R26, R41). Refusals: not-allowed, unverified, wrong-status. */
export function approve(delivery: Delivery, actor: Actor, when: ActionTime): Delivery {
  mustBeSenderOf(delivery, actor)
  if (delivery.status !== 'Delivered') throw new Refusal('wrong-status')
  return next(delivery, 'Approved', when)
}

/** Ends a delivery before it is delivered (R27). Refusals: not-allowed, unverified, wrong-status. */
export function cancel(delivery: Delivery, actor: Actor, when: ActionTime): Delivery {
  const admin = 'user' in actor && actor.user.role === 'admin'
  if (!admin) mustBeSenderOf(delivery, actor)
  const cancellable = admin ? ['Pending', 'Accepted', 'Picked Up'] : ['Pending']
  if (!cancellable.includes(delivery.status)) throw new Refusal('wrong-status')
  return next(delivery, 'Cancelled', when)
}

/**
 * The driver adds a photo of the handed-over item (R28).
 * Refusals: not-allowed, driver-not-approved, unverified, wrong-status.
 */
export function attachProof(delivery: Delivery, driver: User, url: string, at: string): Delivery {
  mustBeDriverOf(delivery, driver)
  const { status, proofOfDelivery } = delivery
  // Taken while it was Delivered, it may arrive after the sender has approved.
  const isLate = status === 'Approved' && proofOfDelivery === undefined
  if (status !== 'Picked Up' && status !== 'Delivered' && !isLate) throw new Refusal('wrong-status')
  return { ...delivery, proofOfDelivery: url, updatedAt: at }
}

/** Only the job's driver, approved and with a verified phone (R9, R25). */
function mustBeDriverOf(delivery: Delivery, driver: User) {
  if (!isDriverOf(delivery, driver)) throw new Refusal('not-allowed')
  if (!isApprovedDriver(driver)) throw new Refusal('driver-not-approved')
  if (!driver.Verified) throw new Refusal('unverified')
}

/** Only its sender with a verified phone (R9), or its guest. */
function mustBeSenderOf(delivery: Delivery, actor: Actor) {
  if (!isSenderOf(delivery, actor)) throw new Refusal('not-allowed')
  if ('user' in actor && !actor.user.Verified) throw new Refusal('unverified')
}

function next(
  delivery: Delivery,
  status: Status,
  when: ActionTime,
  change: Partial<Delivery> = {},
): Delivery {
  const history = [...(delivery.history ?? []), { status, ...when }]
  return { ...delivery, ...change, status, history, updatedAt: when.at }
}
