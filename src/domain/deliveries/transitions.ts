import { Refusal } from '../errors.ts'
import { isAmount, maxOfferText, shortPrice } from '../money.ts'
import { minute } from '../product.ts'
import { hasExpired } from '../users/licence.ts'
import { type Contact, contactOf, isApprovedDriver, isOffice, type User } from '../users/user.ts'
import {
  type ActionTime,
  type Actor,
  type Delivery,
  isActiveJob,
  isDriverOf,
  isOnOffer,
  isSenderOf,
  isStatusStep,
  type Status,
  type StatusChange,
} from './delivery.ts'
import { timesOf } from './effective-time.ts'
import { holdFrom, isClaimed, isHeld, lastOfDriver, reportLate } from './endings/cancel-hold.ts'
import { defaultEndingTerms, type EndingTerms } from './endings/incidents.ts'

/*
 *   Pending ──accept──▶ Accepted ──pickUp──▶ Picked Up ──deliver──▶ Delivered ──approve──▶ Approved
 *      │   ▲               │                     │
 *      │   └──give back────┤                     ├── attempt, wait, return ─▶ confirm ─▶ Cancelled
 *      │ (rejected, office)│                     │      (returns.ts)
 *      └──cancel (sender,  └──cancel (sender,    └──cancel (admin)
 *          guest, admin)        guest, admin)
 *   While it is Pending its sender may raise the offer.
 *   The office gives a Pending or Accepted job to a driver, or puts it back on offer (office/assign.ts).
 *   An admin's decision about a dispute ends it from Accepted on (decide.ts). The money of a cancelled job is held
 *   until its driver's phone has confirmed (cancel-hold.ts).
 */

/** How often the offer of one delivery can be raised: drivers are told each time (R169). */
const mostRaises = 20

/**
 * The sender or guest raises the offer, in cedis, while no driver has the job (R169).
 * Refusals: not-allowed, unverified, wrong-status, invalid.
 */
export function raiseOffer(
  delivery: Delivery,
  actor: Actor,
  when: ActionTime,
  offer: number,
): Delivery {
  mustBeSenderOf(delivery, actor)
  return raised(delivery, when, offer)
}

/** The delivery with a higher offer, in cedis, whoever raised it. Refusals: wrong-status, invalid. */
export function raised(
  delivery: Delivery,
  when: ActionTime & Pick<StatusChange, 'by' | 'reason'>,
  offer: number,
): Delivery {
  const { status, history = [] } = delivery
  if (status === 'Accepted')
    throw new Refusal(
      'wrong-status',
      `A driver accepted it at ${shortPrice(delivery.offer)}, which stays the price.`,
    )
  if (!isOnOffer(delivery)) throw new Refusal('wrong-status')
  if (history.filter((step) => step.offer !== undefined).length >= mostRaises)
    throw new Refusal('wrong-status', 'You raised this offer 20 times. It cannot go up again.')
  if (!isAmount(offer) || offer <= delivery.offer)
    throw new Refusal(
      'invalid',
      `The offer is ${shortPrice(delivery.offer)}. It can only go up, to at most ${maxOfferText}.`,
    )
  return next(delivery, 'Pending', { ...when, offer }, { offer })
}

/** Milliseconds on offer after which the sender reads that nobody has accepted (R169). */
const patience = 30 * minute

/**
 * Whether nobody has accepted it for half an hour since it was posted, given back or raised. `now`: milliseconds since
 * 1970.
 */
export function isOverlooked(delivery: Delivery, now: number): boolean {
  const { createdAt, history, payment } = delivery
  const askedAt = history?.findLast((step) => step.status === 'Pending')?.at ?? createdAt
  const offeredAt = Math.max(Date.parse(askedAt), Date.parse(payment?.at ?? askedAt))
  return isOnOffer(delivery) && now - offeredAt >= patience
}

/**
 * A driver accepts a job (R24, R114), but none of their own number (R136), nor one that they gave back too often
 * (R134). `card`: what its sender sees of them.
 * Refusals: not-a-driver, driver-not-approved, unverified, licence-expired, own-request, taken, accepts.
 */
export function accept(
  delivery: Delivery,
  driver: User,
  when: ActionTime,
  card: Contact = contactOf(driver),
): Delivery {
  if (driver.role !== 'driver') throw new Refusal('not-a-driver')
  if (!isApprovedDriver(driver)) throw new Refusal('driver-not-approved')
  if (!driver.Verified) throw new Refusal('unverified')
  if (hasExpired(driver.licence, when.at)) throw new Refusal('licence-expired')
  if (isOwnRequest(delivery, driver)) throw new Refusal('own-request')
  // The office gave it to them before their own request arrived (R192).
  if (wasGivenTo(delivery, driver)) return delivery
  if (!isOnOffer(delivery)) throw new Refusal('taken')
  if (giveBacksOf(delivery, driver) >= mostAccepts) throw new Refusal('accepts')
  return next(delivery, 'Accepted', when, { driver: card })
}

/** How often one driver may accept the same job (R134): each time but the last they gave it back. */
const mostAccepts = 3

const giveBacksOf = ({ incidents = [] }: Delivery, driver: User): number =>
  incidents.filter(({ kind, driver: of, by }) => kind === 'release' && of === driver.ID && !by)
    .length

/** Whether the driver has the job because the office gave it to them (R192). */
export const wasGivenTo = (delivery: Delivery, driver: User): boolean =>
  delivery.status === 'Accepted' &&
  isDriverOf(delivery, driver) &&
  delivery.history?.findLast((step) => step.status === 'Accepted' && isStatusStep(step))?.by ===
    'office'

/** Whether the sender's account, or the sender's, guest's or recipient's number is the driver's own (R136). */
export function isOwnRequest(delivery: Delivery, { ID, phone_number }: User): boolean {
  const { sender, senderPhone, recipientPhone } = delivery
  return sender?.id === ID || [sender?.phone, senderPhone, recipientPhone].includes(phone_number)
}

/** Puts the job of a rejected driver back on offer (R5). Refusal: wrong-status. */
export function returnToPending(delivery: Delivery, when: ActionTime): Delivery {
  if (delivery.status !== 'Accepted') throw new Refusal('wrong-status')
  return offered(delivery, when)
}

/**
 * The driver gives an accepted job back, which is on offer again (R101).
 * Refusals: not-allowed, driver-not-approved, unverified, wrong-status.
 */
export function releaseJob(
  delivery: Delivery,
  driver: User,
  reason: string,
  when: ActionTime,
): Delivery {
  mustBeDriverOf(delivery, driver)
  if (delivery.status !== 'Accepted') throw new Refusal('wrong-status')
  const { ID, name } = driver
  const times = timesOf(delivery, when)
  const incident = { kind: 'release' as const, reason, driver: ID, name, ...times }
  return offered({ ...delivery, incidents: [...(delivery.incidents ?? []), incident] }, when)
}

function offered({ driver: _, ...delivery }: Delivery, when: ActionTime): Delivery {
  return next(delivery, 'Pending', when)
}

/**
 * The driver has the item (R25), or had it before a cancel they knew nothing of (R124).
 * Refusals: not-allowed, driver-not-approved, unverified, wrong-status.
 */
export function pickUp(delivery: Delivery, driver: User, when: ActionTime): Delivery {
  if (isHeld(delivery)) return reportLate(delivery, driver, 'Picked Up', when)
  mustBeDriverOf(delivery, driver)
  if (delivery.status !== 'Accepted') throw new Refusal('wrong-status')
  return next(delivery, 'Picked Up', when)
}

/**
 * The item is handed over (R25), or was before the cancel (R124). The server compares the delivery code: a driver's phone never holds
 * it (R50), so the phone can predict this rule without it.
 * Refusals: not-allowed, driver-not-approved, unverified, wrong-status.
 */
export function deliver(delivery: Delivery, driver: User, when: ActionTime): Delivery {
  if (isHeld(delivery)) return reportLate(delivery, driver, 'Delivered', when)
  mustBeDriverOf(delivery, driver)
  if (delivery.status !== 'Picked Up') throw new Refusal('wrong-status')
  return next(delivery, 'Delivered', when)
}

/**
 * The sender or guest confirms, which releases the payment (R26, R41), unless an issue is open (R108).
 * Refusals: not-allowed, unverified, wrong-status, disputed.
 */
export function approve(delivery: Delivery, actor: Actor, when: ActionTime): Delivery {
  mustBeSenderOf(delivery, actor)
  return approved(delivery, when)
}

/** The delivery approved, whoever did it. Refusals: wrong-status, disputed. */
export function approved(
  delivery: Delivery,
  when: ActionTime & Pick<StatusChange, 'automatic' | 'by' | 'reason'>,
): Delivery {
  if (delivery.status !== 'Delivered') throw new Refusal('wrong-status')
  if (delivery.disputed) throw new Refusal('disputed')
  return next(delivery, 'Approved', when)
}

/** Approved by the server once its time is over (R106). Refusals: wrong-status, disputed. */
export const approveByItself = (delivery: Delivery, at: string): Delivery =>
  approved(delivery, { at, automatic: true })

/**
 * Ends a delivery before it is picked up, or an admin one that was (R27); of their own an admin is the sender (R132).
 * The money of a job that a driver has is held (R123). `reason`: the other side reads it in the history (R161).
 * Refusals: not-allowed, unverified, wrong-status.
 */
export function cancel(
  delivery: Delivery,
  actor: Actor,
  when: ActionTime,
  { cancelHold }: Pick<EndingTerms, 'cancelHold'> = defaultEndingTerms,
  reason?: string,
): Delivery {
  const admin = 'user' in actor && isOffice(actor.user) && !isSenderOf(delivery, actor)
  if (!admin) mustBeSenderOf(delivery, actor)
  const cancellable = admin ? ['Pending', 'Accepted', 'Picked Up'] : ['Pending', 'Accepted']
  if (!cancellable.includes(delivery.status)) throw new Refusal('wrong-status')
  const hold = isActiveJob(delivery) ? holdFrom(when.at, cancelHold) : {}
  const why = { ...(admin ? { by: 'office' } : {}), ...(reason ? { reason } : {}) }
  return next(delivery, 'Cancelled', { ...when, ...why }, hold)
}

/**
 * The driver adds a photo of the handed-over item (R28), or to what they reported after a cancel (R124).
 * Refusals: not-allowed, driver-not-approved, unverified, wrong-status.
 */
export function attachProof(delivery: Delivery, driver: User, url: string, at: string): Delivery {
  mustBeDriverOf(delivery, driver)
  const { status, proofOfDelivery } = delivery
  if (isClaimed(delivery) && proofOfDelivery === undefined && lastOfDriver(delivery) !== 'Accepted')
    return { ...delivery, proofOfDelivery: url, updatedAt: at }
  // Taken while it was Delivered, it may arrive after the sender has approved.
  const isLate = status === 'Approved' && proofOfDelivery === undefined
  if (status !== 'Picked Up' && status !== 'Delivered' && !isLate) throw new Refusal('wrong-status')
  return { ...delivery, proofOfDelivery: url, updatedAt: at }
}

/** Only the job's driver, approved and with a verified phone (R9, R25). */
export function mustBeDriverOf(delivery: Delivery, driver: User) {
  if (!isDriverOf(delivery, driver)) throw new Refusal('not-allowed')
  if (!isApprovedDriver(driver)) throw new Refusal('driver-not-approved')
  if (!driver.Verified) throw new Refusal('unverified')
}

/** Only its sender with a verified phone (R9), or its guest. */
export function mustBeSenderOf(delivery: Delivery, actor: Actor) {
  if (!isSenderOf(delivery, actor)) throw new Refusal('not-allowed')
  if ('user' in actor && !actor.user.Verified) throw new Refusal('unverified')
}

/** The delivery in this status, with what it changes; the change is added to its history. */
export function next(
  delivery: Delivery,
  status: Status,
  when: ActionTime & Pick<StatusChange, 'automatic' | 'by' | 'reason' | 'offer' | 'corrected'>,
  change: Partial<Delivery> = {},
): Delivery {
  const history = [...(delivery.history ?? []), { status, ...timesOf(delivery, when) }]
  const { dueAt: _, ...rest } = delivery
  return { ...rest, ...change, status, history, updatedAt: when.at }
}
