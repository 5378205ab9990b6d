import { type Payment, paymentOf } from '../payment-fields.ts'
import { contactOf, isApprovedDriver, isOffice, type User } from '../users/user.ts'
import { areContactsOpen, withoutContacts } from './contacts.ts'
import {
  type Actor,
  type Delivery,
  isActiveJob,
  isDriverOf,
  isOnOffer,
  isSenderOf,
} from './delivery.ts'
import { itemDetailsOf } from './item.ts'

/** The part of a delivery this viewer may see (R50 to R54, R129), or `undefined` when they may not know of it. */
export function visibleFields(viewer: Actor | undefined, delivery: Delivery): Delivery | undefined {
  if (!viewer) return undefined
  if ('user' in viewer && isOffice(viewer.user)) return delivery
  if (isSenderOf(delivery, viewer)) {
    const { payout: _, ...seen } = delivery
    return areContactsOpen(delivery) ? seen : withoutContacts('sender', seen)
  }
  if (!('user' in viewer)) return undefined
  if (isDriverOf(delivery, viewer.user)) return jobOf(delivery, viewer.user)
  if (isApprovedDriver(viewer.user) && isOnOffer(delivery)) return advertOf(delivery)
  return undefined
}

/** A driver's own job. A driver who is no longer approved sees no active job, and no names or numbers of past ones (R5). */
function jobOf(delivery: Delivery, driver: User): Delivery | undefined {
  if (isApprovedDriver(driver)) return asDriverSees(delivery, driver)
  if (isActiveJob(delivery)) return undefined
  const { history } = delivery
  const money = withoutMessage(paymentOf(delivery))
  return { ...advertOf(delivery), ...money, driver: contactOf(driver), history }
}

/** Without the sender's codes (R50, R135), what a provider told the sender, and why earlier drivers gave the job back (R101). */
function asDriverSees(delivery: Delivery, driver: User): Delivery {
  const { deliveryCode: _, returnCode: __, wrongCodes: ___, newCodes: ____, ...rest } = delivery
  const incidents = delivery.incidents?.filter((each) => each.driver === driver.ID)
  const seen = withoutMessage(incidents ? { ...rest, incidents } : rest)
  return areContactsOpen(delivery) ? seen : withoutContacts('driver', seen)
}

const withoutMessage = <D extends Payment>(delivery: D): D =>
  delivery.payment ? { ...delivery, payment: { status: delivery.payment.status } } : delivery

/** What a driver who looks for jobs sees: the item (R160), zones, offer, fee and photo; no name and no number (R51). */
export function advertOf(delivery: Delivery): Delivery {
  return {
    ID: delivery.ID,
    status: delivery.status,
    itemDescription: delivery.itemDescription,
    ...itemDetailsOf(delivery),
    pickupZone: delivery.pickupZone,
    dropoffZone: delivery.dropoffZone,
    offer: delivery.offer,
    feePercent: delivery.feePercent,
    payment: withoutMessage(delivery).payment,
    itemPhoto: delivery.itemPhoto,
    isGuestDelivery: delivery.isGuestDelivery,
    createdAt: delivery.createdAt,
    updatedAt: delivery.updatedAt,
  }
}
