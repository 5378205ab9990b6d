import * as z from 'zod/mini'
import { Refusal } from './errors.ts'
import { Contact, contactOf, isApprovedDriver, type User } from './user.ts'

export const Status = z.enum([
  'Pending',
  'Accepted',
  'Picked Up',
  'Delivered',
  'Approved',
  'Cancelled',
])
export type Status = z.infer<typeof Status>

/** The five steps of the timeline, in order (spec §2, delivery room). */
export const timelineStatuses = [
  'Pending',
  'Accepted',
  'Picked Up',
  'Delivered',
  'Approved',
] as const

/** One step taken: `at` is when the server heard, `occurredAt` when the person says they acted. */
export const StatusChange = z.object({
  status: Status,
  at: z.string(),
  occurredAt: z.optional(z.string()),
})
export type StatusChange = z.infer<typeof StatusChange>

/** A delivery (spec §3), as much of it as its reader may see. `offer` is in cedis; times are ISO 8601. */
export const Delivery = z.object({
  ID: z.string(),
  status: Status,
  itemDescription: z.string(),
  pickupZone: z.string(),
  dropoffZone: z.string(),
  offer: z.number(),
  itemPhoto: z.optional(z.string()),
  proofOfDelivery: z.optional(z.string()),
  recipientName: z.optional(z.string()),
  recipientPhone: z.optional(z.string()),
  deliveryCode: z.optional(z.string()),
  isGuestDelivery: z.boolean(),
  senderName: z.optional(z.string()),
  senderPhone: z.optional(z.string()),
  sender: z.optional(Contact),
  driver: z.optional(Contact),
  createdAt: z.string(),
  updatedAt: z.string(),
  history: z.optional(z.array(StatusChange)),
})
export type Delivery = z.infer<typeof Delivery>

/** Who acts on a delivery: a person with an account, or the guest who holds its guest token. */
export type Actor = { user: User } | { guestOf: string }

/** When it happened. `at`: the server's clock (or the device's, for the eye only). */
export type ActionTime = { at: string; occurredAt?: string }

/*
 *   Pending ──accept──▶ Accepted ──pickUp──▶ Picked Up ──deliver──▶ Delivered ──approve──▶ Approved
 *      │                   │                     │
 *      │   ▲               │                     │
 *      │   └────release────┤ (the driver was rejected)
 *      └──cancel (sender,  └──cancel (admin)     └──cancel (admin)
 *          guest, admin)            all three to Cancelled
 */

/** Driver takes a job (spec §4). Refusals: not-a-driver, driver-not-approved, unverified, own-delivery, taken. */
export function accept(delivery: Delivery, driver: User, when: ActionTime): Delivery {
  if (driver.role !== 'driver') throw new Refusal('not-a-driver')
  if (!isApprovedDriver(driver)) throw new Refusal('driver-not-approved')
  if (!driver.Verified) throw new Refusal('unverified')
  if (delivery.sender?.id === driver.ID) throw new Refusal('own-delivery')
  if (delivery.status !== 'Pending') throw new Refusal('taken')
  return next(delivery, 'Accepted', when, { driver: contactOf(driver) })
}

/** The job goes back on offer: its driver may carry it no longer. Refusal: wrong-status. */
export function returnToPending(delivery: Delivery, when: ActionTime): Delivery {
  if (delivery.status !== 'Accepted') throw new Refusal('wrong-status')
  const { driver: _, ...offered } = delivery
  return next(offered, 'Pending', when)
}

/** Refusals: not-allowed, driver-not-approved, unverified, wrong-status. */
export function pickUp(delivery: Delivery, driver: User, when: ActionTime): Delivery {
  mustBeDriverOf(delivery, driver)
  if (delivery.status !== 'Accepted') throw new Refusal('wrong-status')
  return next(delivery, 'Picked Up', when)
}

/**
 * The job is handed over. That the code was right is `isCodeOf`'s to say: a driver's own device
 * must never hold the code, so this rule alone can be foreseen there.
 * Refusals: not-allowed, driver-not-approved, unverified, wrong-status.
 */
export function deliver(delivery: Delivery, driver: User, when: ActionTime): Delivery {
  mustBeDriverOf(delivery, driver)
  if (delivery.status !== 'Picked Up') throw new Refusal('wrong-status')
  return next(delivery, 'Delivered', when)
}

export const isCodeOf = (delivery: Delivery, code: string): boolean =>
  delivery.deliveryCode !== undefined && delivery.deliveryCode === code

/** Sender or guest confirms, which releases the payment. Refusals: not-allowed, unverified, wrong-status. */
export function approve(delivery: Delivery, actor: Actor, when: ActionTime): Delivery {
  mustBeSenderOf(delivery, actor)
  if (delivery.status !== 'Delivered') throw new Refusal('wrong-status')
  return next(delivery, 'Approved', when)
}

/** Sender or guest while Pending; an admin until it is Delivered. Refusals: not-allowed, unverified, wrong-status. */
export function cancel(delivery: Delivery, actor: Actor, when: ActionTime): Delivery {
  const admin = 'user' in actor && actor.user.role === 'admin'
  if (!admin) mustBeSenderOf(delivery, actor)
  const cancellable = admin ? ['Pending', 'Accepted', 'Picked Up'] : ['Pending']
  if (!cancellable.includes(delivery.status)) throw new Refusal('wrong-status')
  return next(delivery, 'Cancelled', when)
}

/**
 * The driver adds a photo of the handed-over item; allowed from Picked Up to Delivered.
 * Refusals: not-allowed, driver-not-approved, unverified, wrong-status.
 */
export function attachProof(delivery: Delivery, driver: User, url: string, at: string): Delivery {
  mustBeDriverOf(delivery, driver)
  if (delivery.status !== 'Picked Up' && delivery.status !== 'Delivered')
    throw new Refusal('wrong-status')
  return { ...delivery, proofOfDelivery: url, updatedAt: at }
}

/** A driver holds one such job at a time (interfaces: one active job a driver). */
export const isActiveJob = (delivery: { status: Status }): boolean =>
  delivery.status === 'Accepted' || delivery.status === 'Picked Up'

/** A sender has one such delivery at a time (interfaces: one active delivery a sender). */
export const isActiveDelivery = (delivery: { status: Status }): boolean =>
  delivery.status !== 'Approved' && delivery.status !== 'Cancelled'

export const isSenderOf = (delivery: Delivery, actor: Actor): boolean =>
  'guestOf' in actor
    ? delivery.isGuestDelivery && actor.guestOf === delivery.ID
    : delivery.sender !== undefined && delivery.sender.id === actor.user.ID

export const isDriverOf = (delivery: Delivery, user: User): boolean =>
  delivery.driver !== undefined && delivery.driver.id === user.ID

/** Whoever sends it or carries it. */
export const isPartyTo = (delivery: Delivery, actor: Actor): boolean =>
  isSenderOf(delivery, actor) || ('user' in actor && isDriverOf(delivery, actor.user))

function mustBeDriverOf(delivery: Delivery, driver: User) {
  if (!isDriverOf(delivery, driver)) throw new Refusal('not-allowed')
  if (!isApprovedDriver(driver)) throw new Refusal('driver-not-approved')
  if (!driver.Verified) throw new Refusal('unverified')
}

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
