import { type Delivery, isActiveDelivery } from '#domain/deliveries/delivery.ts'
import { isHeld } from '#domain/deliveries/endings/cancel-hold.ts'
import { saysPaid } from '#domain/deliveries/endings/direct-payment.ts'
import { isFunded, paidToDriver, settlementOf } from '#domain/deliveries/payment.ts'
import { toPesewas } from '#domain/money.ts'
import type { Stores } from '../../ports/repo.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { NewDelivery, StoredDelivery } from '../../ports/stores/delivery-stores.ts'
import { hold, payout, raise, settlement, tipTransfers } from './ledger.ts'
import { addPayout, refundCharges } from './payment-rows.ts'

/** Whether a change ends a delivery whose money is not held any longer (R41, R123). */
const settles = (after: Delivery, before: Delivery) => isSettled(after) && !isSettled(before)

/** Whether a change adds a tip that was charged after the approval (R179). */
const addsTip = (after: Delivery, before: Delivery) => isSettled(before) && !before.tip && after.tip

/**
 * The delivery with where its driver's money is, if this change makes it theirs (R172). It is `paid` where its sender
 * approved and pays it themselves, and else `waiting`.
 */
export function withPayout(after: Delivery, before: NewDelivery): Delivery {
  if (addsTip(after, before)) return { ...after, payout: { status: 'waiting' } }
  if (!settles(after, before) || paidToDriver(after) === 0) return after
  const status = saysPaid(after) ? 'paid' : 'waiting'
  if (before.payments !== 'paystack') return { ...after, payout: { status } }
  const { message, ...said } = after.payment ?? {}
  const payment = { ...said, status: 'released', at: after.updatedAt }
  // What was said before is about a higher offer, which is not asked for any more.
  const isNew = message !== undefined && message !== before.payment?.message
  return { ...after, payout: { status }, payment: isNew ? { ...payment, message } : payment }
}

/**
 * Posts the transfers of a change, in its transaction: what the provider has charged is held (R173), and what an offer was
 * raised by set aside (R169); what ends a delivery goes to the driver, back to the sender, or both (R41), and becomes a
 * payout (R172) or refunds (R178). The money of a cancelled job stays set aside as long as it is held (R123).
 */
export async function applyLedgerEffects(
  stores: Stores,
  secrets: Secrets,
  after: StoredDelivery,
  before: Delivery,
): Promise<void> {
  if (isFunded(after) && !isFunded(before)) await stores.ledger.post(hold(after, secrets.id()))
  for (const transfer of raise(after, before, secrets.id)) await stores.ledger.post(transfer)
  if (settles(after, before)) await settle(stores, secrets, after)
  else if (addsTip(after, before)) {
    for (const transfer of tipTransfers(after, secrets.id)) await stores.ledger.post(transfer)
    const pesewas = toPesewas(after.tip ?? 0)
    await addPayout(stores, secrets, after, { what: 'tip', pesewas, status: 'waiting' })
  }
  if (after.status !== 'Cancelled' || before.status === 'Cancelled') return
  const { itemDescription, pickupZone, dropoffZone, updatedAt } = after
  const Message = `Cancelled: ${itemDescription}, ${pickupZone} to ${dropoffZone}`
  const activity = { ID: secrets.id(), Type: 'other', Message, CreatedAt: updatedAt }
  await stores.activities.add(activity)
}

/** Posts what ends a delivery, and makes a payout of its driver's part and refunds of the rest (R41, R172, R178). */
export async function settle(stores: Stores, secrets: Secrets, delivery: NewDelivery) {
  for (const transfer of settlement(delivery, secrets.id)) await stores.ledger.post(transfer)
  await payDriver(stores, secrets, delivery)
  await refundSender(stores, secrets, delivery)
}

async function payDriver(stores: Stores, secrets: Secrets, delivery: NewDelivery) {
  const isPaid = saysPaid(delivery)
  const pesewas = paidToDriver(delivery)
  if (!delivery.driver || pesewas === 0) return
  await addPayout(stores, secrets, delivery, {
    what: 'part',
    pesewas,
    status: isPaid ? 'paid' : 'waiting',
    reference: delivery.paidBy,
    // A provider pays it out; otherwise people do.
    dueAt: delivery.payments === 'paystack' ? delivery.updatedAt : undefined,
  })
  if (isPaid) await stores.ledger.post(payout(delivery, secrets.id(), 'payout', pesewas))
}

async function refundSender(stores: Stores, secrets: Secrets, delivery: NewDelivery) {
  if (delivery.payments !== 'paystack') return
  const refund = settlementOf(delivery).find(({ kind }) => kind === 'refund')
  if (refund) await refundCharges(stores, secrets, delivery, refund.pesewas)
}

const isSettled = (delivery: Delivery) =>
  !isActiveDelivery(delivery) && !isHeld(delivery) && isFunded(delivery)
