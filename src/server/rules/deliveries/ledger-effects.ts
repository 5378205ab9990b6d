import { type Delivery, isActiveDelivery } from '#domain/deliveries/delivery.ts'
import { isHeld } from '#domain/deliveries/endings/cancel-hold.ts'
import { saysPaid } from '#domain/deliveries/endings/direct-payment.ts'
import { paidToDriver } from '#domain/deliveries/payment.ts'
import type { Stores } from '../../ports/repo.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { NewDelivery, StoredDelivery } from '../../ports/stores/delivery-stores.ts'
import { payout, raise, settlement } from './ledger.ts'

/** Whether a change ends a delivery whose money is not held any longer (R41, R123). */
const settles = (after: Delivery, before: Delivery) => isSettled(after) && !isSettled(before)

/**
 * The delivery with where its driver's money is, if this change makes it theirs (R172). It is `paid` where its sender
 * approved and pays it themselves, and else `waiting`.
 */
export function withPayout<D extends Delivery>(after: D, before: Delivery): D {
  if (!settles(after, before) || paidToDriver(after) === 0) return after
  return { ...after, payout: { status: saysPaid(after) ? 'paid' : 'waiting' } }
}

/**
 * Posts the transfers of a change, in its transaction: what an offer was raised by is set aside (R169); what ends a
 * delivery goes to the driver, back to the sender, or both (R41), and the driver's part becomes a payout (R172). The
 * money of a cancelled job stays set aside as long as it is held (R123).
 */
export async function applyLedgerEffects(
  stores: Stores,
  secrets: Secrets,
  after: StoredDelivery,
  before: Delivery,
): Promise<void> {
  for (const transfer of raise(after, before, secrets.id)) await stores.ledger.post(transfer)
  if (settles(after, before)) await settle(stores, secrets, after)
  if (after.status !== 'Cancelled' || before.status === 'Cancelled') return
  const { itemDescription, pickupZone, dropoffZone, updatedAt } = after
  const Message = `Cancelled: ${itemDescription}, ${pickupZone} to ${dropoffZone}`
  const activity = { ID: secrets.id(), Type: 'other', Message, CreatedAt: updatedAt }
  await stores.activities.add(activity)
}

/** Posts what ends a delivery, and makes its driver's part a payout (R41, R172). */
export async function settle(stores: Stores, secrets: Secrets, delivery: NewDelivery) {
  for (const transfer of settlement(delivery, secrets.id)) await stores.ledger.post(transfer)
  const { ID, driver, updatedAt } = delivery
  const isPaid = saysPaid(delivery)
  const pesewas = paidToDriver(delivery)
  if (!driver || pesewas === 0) return
  await stores.payments.add({
    id: secrets.id(),
    kind: 'payout',
    deliveryId: ID,
    driverId: driver.id,
    pesewas,
    status: isPaid ? 'paid' : 'waiting',
    reference: delivery.paidBy,
    // A provider pays it out; otherwise people do.
    dueAt: delivery.payments === 'paystack' ? updatedAt : undefined,
    tries: 0,
    createdAt: updatedAt,
    updatedAt,
  })
  if (isPaid) await stores.ledger.post(payout(delivery, secrets.id(), 'payout', pesewas))
}

const isSettled = (delivery: Delivery) => !isActiveDelivery(delivery) && !isHeld(delivery)
