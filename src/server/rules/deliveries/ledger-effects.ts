import { type Delivery, isActiveDelivery } from '#domain/deliveries/delivery.ts'
import { isHeld } from '#domain/deliveries/endings/cancel-hold.ts'
import type { Stores } from '../../ports/repo.ts'
import type { Secrets } from '../../ports/secrets.ts'
import { raise, settlement } from './ledger.ts'

/**
 * Posts the transfers of a change, in its transaction: what an offer was raised by is held (R169); what ends a delivery
 * goes to the driver, back to the sender, or both (R41). The
 * money of a cancelled job stays in escrow as long as it is held (R123).
 */
export async function applyLedgerEffects(
  stores: Stores,
  secrets: Secrets,
  after: Delivery,
  before: Delivery,
): Promise<void> {
  for (const transfer of raise(after, before, secrets.id)) await stores.ledger.post(transfer)
  if (isSettled(after) && !isSettled(before))
    for (const transfer of settlement(after, secrets.id)) await stores.ledger.post(transfer)
  if (after.status !== 'Cancelled' || before.status === 'Cancelled') return
  const { itemDescription, pickupZone, dropoffZone, updatedAt } = after
  const Message = `Cancelled: ${itemDescription}, ${pickupZone} to ${dropoffZone}`
  const activity = { ID: secrets.id(), Type: 'other', Message, CreatedAt: updatedAt }
  await stores.activities.add(activity)
}

const isSettled = (delivery: Delivery) => !isActiveDelivery(delivery) && !isHeld(delivery)
